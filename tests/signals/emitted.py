"""What the core can say, read from its source: so that a code that is new there is missed here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import tamsk_pi

PACKAGE = Path(tamsk_pi.__file__).parent
CORE = [*PACKAGE.glob("referee/*.py"), *PACKAGE.glob("sensing/*.py"), PACKAGE / "session.py"]


def _calls() -> Iterator[ast.Call]:
    for path in CORE:
        yield from (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call))


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts that an expression can be; what only decides between them is left out."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _texts(body)
            yield from _texts(orelse)


def rulings() -> set[str]:
    """`kind`, or `kind:code`, of every ruling that is spelt out."""
    found = set()
    for call in _calls():
        kind_at, code = (1, None)
        if _name(call) == "Oddity":
            code = call.args[2]
        elif _name(call) == "say" and len(call.args) == 2:
            code = next((k.value for k in call.keywords if k.arg == "code"), None)
        else:
            continue
        for kind in _texts(call.args[kind_at]):
            found |= {f"{kind}:{text}" for text in _texts(code)} if code is not None else {kind}
    return found


def refusals() -> set[str]:
    """Every reason for which an arbiter's word is refused."""
    found: set[str] = set()
    for call in _calls():
        if _name(call) == "refuse":
            found |= set(_texts(call.args[1]))
    for name in ("arbiter.py", "referee.py"):
        for node in ast.walk(ast.parse((PACKAGE / "referee" / name).read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(returns=ast.Name(id="Refusal")):
                    for inner in ast.walk(node):
                        if isinstance(inner, ast.Return) and inner.value is not None:
                            found |= set(_texts(inner.value))
                case ast.Assign(targets=[ast.Name(id="refusal")], value=value):
                    found |= set(_texts(value))
                case ast.AnnAssign(target=ast.Name(id="refusal"), value=ast.Constant(value=str(text))):
                    found.add(text)
    return found

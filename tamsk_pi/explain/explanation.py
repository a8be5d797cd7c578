"""An explanation of a ruling: plain data for JSON, with its words. `docs/traces.md` describes its shape."""

from __future__ import annotations

from typing import Final

from tamsk_pi.explain.before import Before
from tamsk_pi.explain.moment import Handling, Moment
from tamsk_pi.explain.waits import waits_of
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Cause
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.rulebook import rule, rules_behind
from tamsk_pi.trace import LinkUp, record_json

Json = dict[str, object]


def explanation_of(moment: Moment, explainer: Explainer) -> Json:
    """What a ruling rests on, as plain data that JSON can hold, with the words for each part."""
    edges = _lines(moment)
    waits = list(waits_of(moment))
    matters = moment.settings.orientation_matters
    sand = {g: _sand(moment.before, g, moment.ruling.t_ms, matters=matters) for g in (*GLASSES, TIMER)}
    handling = None if moment.handling is None else _handling(moment.handling, moment.settings)
    return {
        "number": moment.number,
        "ruling": moment.ruling.as_json(),
        "text": explainer.words.say(moment.ruling),
        "edges": [{**line, "text": explainer.edge(line)} for line in edges],
        "waits": [{**wait, "text": explainer.wait(wait)} for wait in waits],
        "rules": _rules(moment, explainer),
        "glass": None if handling is None else {**handling, "text": explainer.handling(handling)},
        "sand": {glass: {**it, "text": explainer.sand(glass, it)} for glass, it in sand.items()},
        "to_move": moment.before.to_move,
        "turn": explainer.turn(moment.before.to_move),
    }


def _lines(moment: Moment) -> list[Json]:
    """The lines of the trace that it rests on, in order of time; each once."""
    edges: dict[Edge, None] = {edge: None for burst in moment.bursts for edge in burst.edges}
    lines = [record_json(record, moment.settings) for record in (*edges, *moment.records)]
    return sorted(lines, key=lambda line: int(str(line["t"])))


def _rules(moment: Moment, explainer: Explainer) -> list[Json]:
    settings = moment.settings
    keys = rules_behind(
        moment.ruling,
        level=settings.level,
        setup=settings.setup,
        senses_turning=settings.senses_turning,
        rings=settings.rings,
        paused_by=_paused_by(moment.cause),
    )
    found = (rule(key, settings.rules) for key in keys)
    fill = explainer.words.fill
    return [{"key": k, "text": fill(r.text, {}), "source": r.source, "origin": fill(r.origin, {})} for k, r in found]


def _paused_by(cause: Cause) -> str:
    return "link" if isinstance(cause, LinkUp) else "arbiter"


def _sand(before: Before, glass: str, t_ms: int, *, matters: bool) -> Json:
    sand, held = before.sand[glass], before.held.get(glass)
    left_ms = sand.left_ms(t_ms)
    if not matters and glass in before.moved:
        # At level 1 no glass is turned over, and none runs out.
        state = "ignored"
    elif glass in before.out:
        state = "out"
    elif left_ms:
        state = "running"
    elif glass == TIMER:
        state = "empty"
    else:
        state = "stopped" if glass in before.moved else "unmoved"
    return {
        "state": state,
        "left_ms": left_ms,
        "full_ms": sand.full_ms[sand.up],
        "up": sand.up,
        "socket": None if held or glass == TIMER else before.standing[glass],
        "in_hand": held is not None,
    }


_LOOKED_AT: Final = ("glass", "lifted_ms", "start", "home", "left_at_lift_ms", "to", "placed_ms")


def _handling(handling: Handling, settings: Settings) -> Json:
    turned = handling.up != handling.up_before if handling.up is not None else None
    tells = settings.orientation_matters and settings.senses_turning
    facts: Json = {name: getattr(handling, name) for name in _LOOKED_AT}
    if not settings.orientation_matters:
        facts["left_at_lift_ms"] = None
    facts["might_move"] = handling.ran if settings.orientation_matters and handling.start is not None else None
    facts["turned"] = turned if tells else None
    return facts

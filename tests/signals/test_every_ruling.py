"""Every ruling that the core can give has words, and they say everything they want to say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_pi.referee.rulings import RULING_KINDS, VIOLATION_CODES, Ruling
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.words import Words

CORE = Path(__file__).parents[2] / "tamsk_pi"

GLASS: dict[str, object] = {"glass": "R2", "to": "D3", "player": "red", "home": "D1"}
DRAWN = ("rings", "tie_break", "agreed", "arbiter")
WON = ("rings", "tie_break", "last_ring", "full_socket", "resigned", "arbiter")
DETAILS: dict[str, list[dict[str, object]]] = {
    "ready": [{}],
    "started": [{}, {"player": "black"}],
    "move": [
        {"player": "red", "glass": "R2", "from": "D1", "to": "D2"},
        {"player": "red", "glass": "R2", "from": None, "to": "D2"},
    ],
    "ring": [
        *[dict[str, object](player="black", socket="D4", count=2, reason=why) for why in ("move", "claim", "penalty")],
        {"player": "black", "socket": "D4", "count": 2, "reason": "claim", "instead_of": "red"},
    ],
    "violation": [
        *({"code": code, **GLASS} for code in VIOLATION_CODES[:8]),
        {"code": "ring_not_due", "socket": "D4"},
        {"code": "ring_not_due", "player": "red"},
        {"code": "ring_removed", "socket": "D4"},
        {"code": "ring_removed", "player": "black"},
        {"code": "timer_running"},
        {"code": "must_move", "player": "red"},
    ],
    "resolved": [{"code": code, "glass": "R2"} for code in VIOLATION_CODES],
    "timer_started": [{"player": "black"}],
    "timeout": [{"player": "red", "begun": begun} for begun in (True, False)],
    "forfeit": [{"player": "red"}],
    "pass": [{"player": "red"}],
    "skip": [{"player": "red"}],
    "glass_stopped": [{"glass": "B3"}],
    "game_over": [
        {"winner": winner, "reason": reason, "red": 4, "black": 7}
        for winner, reasons in (("red", WON), (None, DRAWN))
        for reason in reasons
    ],
    "notice": [
        {"code": "ambiguous", "socket": "D4", "glass": "R1", "in_hand": ["R1", "R2"]},
        {"code": "close_call", "glass": "N", "stopped_ms": 3_000},
        {"code": "glass_off_board", "glass": "R1"},
        {"code": "lapsed", "what": "move", "player": "red", "socket": "D2"},
        {"code": "lapsed", "what": "claim", "player": "red", "socket": "D2"},
        {"code": "lapsed", "what": "penalty", "player": "black"},
        {"code": "lapsed", "what": "timer", "player": "black"},
        {"code": "ring_undone", "player": "red", "socket": "D2", "count": 0},
        {"code": "timer_waived", "player": "black"},
        {"code": "weak", "kind": "tilt", "input": "R1"},
        {"code": "watch_glasses", "glasses": ["B2", "R2"]},
        {"code": "recheck"},
        {"code": "ask_for_sand", "glasses": ["R1", "B2"]},
        {"code": "accepted"},
        {"code": "taken_back", "player": "red", "glass": "R2", "from": "D2", "back_to": "D1", "rings": {"D2": 1}},
        {"code": "taken_back", "player": "red", "glass": "R2", "from": "D2", "back_to": None, "rings": {}},
        {"code": "annulled", "verdict": {"t": 3, "ruling": "forfeit", "player": "red"}},
        {"code": "names_corrected", "red": "Ada", "black": ""},
        {"code": "rings_corrected", "socket": "D4", "count": 1, "player": "red"},
        {"code": "glass_corrected", "glass": "R1", "state": "stopped"},
        {"code": "penalty_corrected", "player": "red", "given": True},
        {"code": "refused", "word": "annul", "reason": "there is no verdict since the last move"},
        {"code": "socket_dead", "socket": "D4"},
        {"code": "socket_alive", "socket": "D4"},
        {"code": "turning_not_seen", "glass": "R1", "to": "D2", "player": "red"},
        {"code": "turning_confirmed", "glass": "R1", "player": "red"},
        {"code": "unobserved", "opened": ["D1"], "closed": ["D4"], "turned": ["R2"], "rings": {"D4": 1}},
    ],
    "fault": [
        {"code": "tilt_without_lift", "glass": "R1", "socket": "A4"},
        {"code": "unexpected_closed", "socket": "D4"},
        {"code": "ambiguous_placing", "glass": "R1", "sockets": ["D4", "D5"]},
        {"code": "noisy", "kind": "socket", "input": "D4"},
        {"code": "cap_silent", "glass": "R2"},
        {"code": "impossible_count", "kind": "holder", "input": "red"},
        {"code": "held_from_start", "kind": "button", "input": "red"},
        {"code": "wire", "line": "A", "inputs": ["A1", "A4"]},
    ],
    "fault_cleared": [
        {"code": "impossible_count", "kind": "holder", "input": "red"},
        {"code": "held_from_start", "kind": "button", "input": "red"},
        {"code": "wire", "line": "A", "inputs": ["A1", "A4"]},
        {"code": "unexpected_closed", "socket": "D4"},
        {"code": "ambiguous_placing", "glass": "R1"},
        {"code": "noisy", "kind": "socket", "input": "D4"},
        {"code": "cap_silent", "glass": "R2"},
    ],
    "paused": [{"reason": "link"}, {"reason": "arbiter"}],
    "resumed": [{}],
}
RULINGS = [Ruling(1_000, kind, details) for kind, all_details in DETAILS.items() for details in all_details]


def codes_in_the_source() -> Iterator[str]:
    """Every text that the core passes on as a `code`, or as the code of an `Oddity`."""
    for folder in ("referee", "sensing"):
        for path in (CORE / folder).glob("*.py"):
            yield from _codes(path)
    yield from _codes(CORE / "session.py")


def _codes(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        texts = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
        if isinstance(node.func, ast.Name) and node.func.id == "Oddity" and len(node.args) > 2:
            texts.append(node.args[2])
        for text in texts:
            yield from (n.value for n in ast.walk(text) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def test_no_kind_and_no_code_of_the_core_is_missing_here() -> None:
    told = {str(ruling.get("code")) for ruling in RULINGS}
    in_source = set(codes_in_the_source())
    assert len(in_source) > 20
    assert in_source <= told
    assert set(DETAILS) == set(RULING_KINDS)
    assert set(VIOLATION_CODES) <= told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "ruling", RULINGS, ids=lambda r: "-".join([r.kind, str(r.get("code") or r.get("reason") or "")])
)
def test_a_ruling_has_words(ruling: Ruling, language: Language) -> None:
    """Whole sentences; no name is missing in it, and nothing of how the program calls things is left in it."""
    text = Words({}, language)(ruling)
    assert "?" not in text
    assert "None" not in text
    assert "{" not in text
    assert text.endswith((".", ".”", ".“", ".»"))
    assert text[0].isupper()
    code = ruling.get("code")
    assert code is None or "_" not in str(code) or str(code) not in text

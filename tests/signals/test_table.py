"""The table is whole, every pattern in it ends, and the page made from it is current."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.referee.rulings import RULING_KINDS, VIOLATION_CODES, Ruling
from tamsk_pi.signals.page import page
from tamsk_pi.signals.rhythm import RHYTHMS_MS, Rhythm, is_lit, next_flip_ms
from tamsk_pi.signals.standing import STATES
from tamsk_pi.signals.table import ALARM_AFTER_MS, NOTED, SIGNALS, UNTIL_MENDED, signal_key
from tests.signals import emitted

DOCS = Path(__file__).resolve().parents[2] / "docs" / "signals.md"


def test_the_page_is_current() -> None:
    assert DOCS.read_text(encoding="utf-8") == page(), "run: python -m tamsk_pi.signals.page > docs/signals.md"


def test_every_ruling_has_a_signal() -> None:
    said = {*RULING_KINDS, *emitted.rulings(), *(f"violation:{code}" for code in VIOLATION_CODES)}
    for ruling in said:
        kind, _, code = ruling.partition(":")
        assert signal_key(Ruling(0, kind, {"code": code} if code else {})) in SIGNALS


def test_no_signal_is_there_for_a_code_that_nobody_says() -> None:
    said = emitted.rulings() | {f"violation:{code}" for code in VIOLATION_CODES}
    coded = {key for key in SIGNALS if ":" in key} - {NOTED}
    assert coded <= said


@pytest.mark.parametrize("key", SIGNALS)
def test_every_pattern_ends(key: str) -> None:
    signal = SIGNALS[key]
    assert signal.length_ms <= 1_500
    assert all(tone.length_ms > 0 for tone in signal.tones)
    assert 0 <= signal.lamp_for_ms <= 10_000
    if signal.lamp and signal.lamp_for_ms == UNTIL_MENDED:
        assert key.split(":")[0] in ("violation", "paused"), "only these are ever mended"


@pytest.mark.parametrize("key", SIGNALS)
def test_no_sound_without_a_light_where_something_is_wrong(key: str) -> None:
    signal = SIGNALS[key]
    if key.split(":")[0] in ("violation", "fault", "timeout", "paused", "skip") and signal.tones:
        assert signal.lamp == "alarm"
    if signal.after_ms:
        assert signal.after_ms == ALARM_AFTER_MS


def test_everything_illegal_is_told_by_the_silent_box_too() -> None:
    for key, signal in SIGNALS.items():
        if key.startswith("violation") or key in ("timeout", "forfeit", "skip"):
            assert signal.in_referee_mode == "all"
    for key in ("ready", "pass", "game_over", "glass_stopped", "move"):
        assert SIGNALS[key].in_referee_mode == "nothing"


def test_the_box_that_only_referees_never_helps() -> None:
    helps = {name for name, state in STATES.items() if not state.in_referee_mode}
    assert helps == {"ring_due", "target", "nearly_out", "soon_out", "carrying", "turn"}


def test_what_a_colour_tells_is_told_by_rhythm_too() -> None:
    red = {s.rhythm for s in STATES.values() if s.plane == "red"}
    green = {s.rhythm for s in STATES.values() if s.plane == "green"}
    assert not red & green


@given(st.sampled_from(sorted(RHYTHMS_MS)), st.integers(0, 10**6), st.integers(0, 10**5))
def test_a_lamp_changes_when_it_says_and_not_before(rhythm: Rhythm, since_ms: int, later_ms: int) -> None:
    now_ms = since_ms + later_ms
    flip_ms = next_flip_ms(rhythm, since_ms, now_ms)
    lit = is_lit(rhythm, since_ms, now_ms)
    if flip_ms is None:
        assert rhythm == "steady"
        assert lit
        return
    assert now_ms < flip_ms <= now_ms + 1_000
    assert is_lit(rhythm, since_ms, flip_ms - 1) is lit
    assert is_lit(rhythm, since_ms, flip_ms) is not lit


@pytest.mark.parametrize("rhythm", RHYTHMS_MS)
def test_every_rhythm_begins_lit_and_ends_dark(rhythm: Rhythm) -> None:
    assert is_lit(rhythm, 5, 5)
    assert len(RHYTHMS_MS[rhythm]) % 2 == 0

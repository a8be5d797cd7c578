"""The state machine: every phase and trigger, and the diagram in the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamsk_pi.referee.life import PHASES, TRIGGERS, Life, RefusedError, diagram

PAGE = Path(__file__).parents[2] / "docs" / "state-machine.md"


def life_in(phase: str) -> Life:
    """A life that has come to `phase` by its triggers, on the shortest way."""
    ways: dict[str, list[str]] = {"setting_up": []}
    while phase not in ways:
        before = dict(ways)
        for target, (_, sources) in TRIGGERS.items():
            for source in sources:
                if source in before:
                    ways.setdefault(target, [*before[source], target])
        assert before != ways, f"{phase} cannot be reached"
    life = Life()
    for step in ways[phase]:
        life.go_to(step)  # type: ignore[arg-type]
    return life


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("target", PHASES)
def test_every_pair_of_phases_is_allowed_or_refused_as_the_table_says(phase: str, target: str) -> None:
    """A refused trigger changes nothing, and says so."""
    life = life_in(phase)
    assert life.phase == phase
    if target == phase or phase in TRIGGERS[target][1]:  # type: ignore[index]
        life.go_to(target)  # type: ignore[arg-type]
        assert life.phase == target
    else:
        with pytest.raises(RefusedError, match=f"{phase}.*{target}"):
            life.go_to(target)  # type: ignore[arg-type]
        assert life.phase == phase


def test_the_machine_has_these_triggers_and_no_others() -> None:
    """`auto_transitions=False`: no `to_over` that nobody wrote."""
    assert set(Life().machine.events) == {trigger for trigger, _ in TRIGGERS.values()}
    assert set(Life().machine.states) == set(PHASES) == set(TRIGGERS)


def test_no_callback_hangs_on_the_machine_by_accident() -> None:
    """A method named `on_enter_...` on the model would be called without being asked for."""
    life = Life()
    assert not [name for name in dir(life) if name.startswith(("on_enter_", "on_exit_", "may_", "is_"))]
    for state in life.machine.states.values():
        assert not state.on_enter
        assert not state.on_exit


def test_no_phase_is_a_dead_end() -> None:
    """Nothing ends in a state that only a restart clears."""
    for phase in PHASES:
        assert any(phase in sources for _, sources in TRIGGERS.values()), phase


def test_the_diagram_in_the_documentation_is_current() -> None:
    """Drawn from the machine itself."""
    assert f"```mermaid\n{diagram()}```\n" in PAGE.read_text(encoding="utf-8")

"""The calibration of the glasses: each is turned over and timed until its last grain, from both of its ends.

There are two lanes that go on side by side, so that it takes half the time: red's button is pressed for the glass in
the red lane, black's for the one in the black lane. A glass runs from the first edge of its tilt switch; where it has
none, from a press. It stops with a press: no sensor sees sand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

import attrs

from tamsk_pi.calibrate.contacts import Changed, Contacts, Happening, Noisy
from tamsk_pi.calibrate.saying import DARK, Finding, Say, ask, bad, good, note
from tamsk_pi.calibrate.spread import Runs, is_enough, is_plausible, most_runs, nominal_ms, timed
from tamsk_pi.rules.board import GLASSES, TIMER, Player
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.settings import GAP_MS, SETTLE_MS
from tamsk_pi.signals.frames import LampFrame

CONFIRM_MS: Final = 10_000
"""A press for a turning that no sensor told of is to be confirmed within this time."""
WATCH_PART: Final = 0.9
"""From this part of the expected time on the lamp says: watch it."""

Stage = Literal["turn", "confirm", "running", "over"]
Keep = Callable[[str, str, int], None]


def other_end(end: str) -> str:
    """The end opposite to `a` or `b`."""
    return "b" if end == "a" else "a"


@attrs.define
class Lane:
    """One button and the glasses that are timed with it, one after the other."""

    side: Player
    glasses: list[str]
    stage: Stage = "turn"
    end: str = "a"
    """The end that is, or is to be, up while the glass runs."""
    since_ms: int = 0
    """When it was turned, or is said to have been."""
    warned: bool = False
    asked: Say = attrs.field(factory=lambda: note("begin"))

    @property
    def glass(self) -> str | None:
        return self.glasses[0] if self.glasses else None


class GlassCalibration:
    """Feed it edges and let time pass; do what `asked` says; it is over when `is_done`.

    `inputs`: the board's state at `now_ms`. `glasses`: which to time. `repeats`: how many runs of each end must agree.
    `runs`: what an earlier, interrupted calibration timed. `keep` is called with every run as it is timed.
    """

    def __init__(
        self,
        inputs: Mapping[tuple[str, str], EdgeValue],
        now_ms: int,
        *,
        glasses: Iterable[str] = (*GLASSES, TIMER),
        repeats: int = 3,
        runs: Runs | None = None,
        gap_ms: Mapping[str, int] = GAP_MS,
        settle_ms: Mapping[str, int] = SETTLE_MS,
        keep: Keep = lambda glass, end, run_ms: None,
    ) -> None:
        if repeats < 2:
            raise ValueError(f"a spread takes two runs or more, not {repeats}")
        wanted = [glass for glass in (TIMER, *GLASSES) if glass in set(glasses)]
        self.runs: dict[str, dict[str, list[int]]] = {
            glass: {end: list((runs or {}).get(glass, {}).get(end, ())) for end in "ab"} for glass in wanted
        }
        self.unheard: list[str] = []
        """Glasses whose tilt switch told of no turning."""
        self._repeats = repeats
        self._keep = keep
        self._contacts = Contacts(inputs, gap_ms, settle_ms)
        self._now_ms = now_ms
        self._said: list[Say] = []
        self.lanes: Final = (
            Lane("red", [glass for glass in wanted if glass[0] != "B"]),
            Lane("black", [glass for glass in wanted if glass[0] == "B"]),
        )
        self._ends_wanted = {(glass, end) for glass in wanted for end in "ab" if not self._is_known(glass, end)}
        for lane in self.lanes:
            lane.glasses = [g for g in lane.glasses if any((g, end) in self._ends_wanted for end in "ab")]
            if not lane.glasses:
                lane.stage = "over"

    # -- what is to be done

    @property
    def is_done(self) -> bool:
        return all(lane.stage == "over" for lane in self.lanes)

    def senses_turning(self, glass: str) -> bool:
        """Whether a tilt switch tells when this glass is turned over, and has not been found silent."""
        return self._contacts.has("tilt", glass) and glass not in self.unheard

    def frame(self) -> LampFrame:
        """A side's lamp: something is to be done with its glass, or soon will be."""
        panel = dict(DARK.panel)
        for lane in self.lanes:
            panel[f"turn_{lane.side}"] = lane.stage in ("turn", "confirm") or lane.warned
        return LampFrame(panel)

    # -- what happens

    def begin(self) -> list[Say]:
        """The first words."""
        if not self.is_done:
            self._say(note("begin_glasses", repeats=self._repeats))
        for lane in self.lanes:
            if lane.stage != "over":
                self._ask_to_turn(lane)
        return self._told()

    def feed(self, edges: Sequence[Edge]) -> list[Say]:
        """Take edges, in order of time; what is to be said about them."""
        for edge in edges:
            self._advance(edge.t_ms)
            self._take(self._contacts.feed([edge]))
        return self._told()

    def advance(self, now_ms: int) -> list[Say]:
        """Let time pass up to `now_ms`."""
        self._advance(now_ms)
        return self._told()

    def press(self, t_ms: int, side: Player | None = None) -> list[Say]:
        """A press at the terminal. Without a side it is for the only lane that is still going on; with two, it is
        refused, as nobody could say which glass it was for."""
        self._advance(t_ms)
        going = [lane for lane in self.lanes if lane.stage != "over" and side in (None, lane.side)]
        if len(going) == 1:
            self._pressed(going[0], t_ms)
        elif going:
            self._say(bad("which_glass"))
        return self._told()

    def next_deadline_ms(self) -> int | None:
        """When something next falls due by itself."""
        times = [self._contacts.next_deadline_ms(), *map(self._due_ms, self.lanes)]
        return min((t for t in times if t is not None), default=None)

    def _due_ms(self, lane: Lane) -> int | None:
        if lane.stage == "confirm":
            return lane.since_ms + CONFIRM_MS
        if lane.stage == "running" and not lane.warned and lane.glass is not None:
            return lane.since_ms + round(WATCH_PART * self._expected_ms(lane.glass, lane.end))
        return None

    def _expected_ms(self, glass: str, end: str) -> int:
        runs_ms = self.runs[glass][end]
        return timed(runs_ms).time_ms if runs_ms else nominal_ms(glass)

    def _advance(self, now_ms: int) -> None:
        while (due_ms := self.next_deadline_ms()) is not None and due_ms <= now_ms:
            self._now_ms = max(self._now_ms, due_ms)
            self._take(self._contacts.advance(due_ms))
            for lane in self.lanes:
                lane_due_ms = self._due_ms(lane)
                if lane_due_ms is not None and lane_due_ms <= due_ms:
                    self._falls_due(lane)
        self._now_ms = max(self._now_ms, now_ms)

    def _falls_due(self, lane: Lane) -> None:
        if lane.stage == "confirm":
            self._ask_to_turn(lane)
        else:
            lane.warned = True
            self._say(note("watch", glass=lane.glass))

    def _take(self, happened: Iterable[Happening]) -> None:
        for event in happened:
            match event:
                case Changed(kind="tilt"):
                    self._turned(event)
                case Changed(kind="button", value=True):
                    self._button(event)
                case Noisy(kind="tilt", name=glass) if self.senses_turning(glass):
                    self._give_up_tilt(glass)

    def _button(self, change: Changed) -> None:
        lane = next((lane for lane in self.lanes if lane.side == change.name), None)
        if lane is not None and lane.stage != "over":
            self._pressed(lane, change.t_ms)

    def _turned(self, change: Changed) -> None:
        lane = next((lane for lane in self.lanes if lane.glass == change.name), None)
        if lane is None or lane.glass is None or not self.senses_turning(lane.glass):
            return
        if lane.stage in ("turn", "confirm"):
            self._start(lane, change.t_ms, str(change.value))
        elif lane.stage == "running":
            self._say(bad("turned_early", glass=lane.glass))
            self._ask_to_turn(lane)

    def _pressed(self, lane: Lane, t_ms: int) -> None:
        glass = lane.glass
        if glass is None:
            return
        if lane.stage == "running":
            self._stopped(lane, glass, t_ms)
        elif lane.stage == "confirm":
            self._give_up_tilt(glass)
            self._start(lane, lane.since_ms, lane.end)
        elif self.senses_turning(glass):
            lane.stage, lane.since_ms = "confirm", t_ms
            lane.asked = bad("no_turning", glass=glass)
            self._say(lane.asked)
        else:
            self._start(lane, t_ms, lane.end)

    def _give_up_tilt(self, glass: str) -> None:
        self.unheard.append(glass)
        self._say(bad("tilt_silent", glass=glass))

    # -- one run

    def _start(self, lane: Lane, t_ms: int, end: str) -> None:
        lane.stage, lane.since_ms, lane.end, lane.warned = "running", t_ms, end, False
        lane.asked = ask("running", glass=lane.glass, end=end, side=lane.side)
        self._say(lane.asked)

    def _stopped(self, lane: Lane, glass: str, t_ms: int) -> None:
        run_ms = t_ms - lane.since_ms
        if not is_plausible(glass, run_ms):
            early = run_ms < nominal_ms(glass)
            self._say(bad("too_early" if early else "too_late", glass=glass, seconds=_seconds(run_ms)))
            if not early:
                self._ask_to_turn(lane)
            return
        runs_ms = self.runs[glass][lane.end]
        runs_ms.append(run_ms)
        self._keep(glass, lane.end, run_ms)
        if run_ms in timed(runs_ms).refused:
            said = bad("outlier", glass=glass, end=lane.end, seconds=_seconds(run_ms))
        else:
            said = good("timed", glass=glass, end=lane.end, seconds=_seconds(run_ms), number=len(runs_ms))
        self._say(said)
        if self._is_known(glass, lane.end):
            self._ends_wanted.discard((glass, lane.end))
        self._go_on(lane, glass)

    def _is_known(self, glass: str, end: str) -> bool:
        runs_ms = self.runs[glass][end]
        return is_enough(runs_ms, self._repeats) or len(runs_ms) >= most_runs(self._repeats)

    def _go_on(self, lane: Lane, glass: str) -> None:
        if any((glass, end) in self._ends_wanted for end in "ab"):
            self._ask_to_turn(lane)
            return
        if wanders(self.runs[glass], self._repeats):
            self._say(bad("wanders", glass=glass))
        else:
            a, b = (timed(self.runs[glass][end]) for end in "ab")
            self._say(good("glass_done", glass=glass, a=_seconds(a.time_ms), b=_seconds(b.time_ms)))
        lane.glasses.remove(glass)
        if lane.glasses:
            self._ask_to_turn(lane)
        else:
            lane.stage, lane.warned = "over", False
            lane.asked = note("lane_over", side=lane.side)
            self._say(lane.asked)

    # -- asking

    def _ask_to_turn(self, lane: Lane) -> None:
        glass = lane.glass
        assert glass is not None
        lane.stage, lane.warned = "turn", False
        if self.senses_turning(glass):
            # It runs with the end up that is down now.
            lane.end = other_end(str(self._contacts.settled("tilt", glass)))
            lane.asked = ask("turn_glass", glass=glass, side=lane.side)
        else:
            lane.end = self._next_end(glass, lane.end)
            lane.asked = ask("turn_and_press", glass=glass, end=lane.end, side=lane.side)
        self._say(lane.asked)

    def _next_end(self, glass: str, last: str) -> str:
        """Ends take turns: after a run with one end up all sand is below the other."""
        fresh = not any(self.runs[glass].values())
        return "a" if fresh else other_end(last)

    def _say(self, said: Say) -> None:
        self._said.append(said)

    def _told(self) -> list[Say]:
        said, self._said = self._said, []
        return said


def wanders(ends: Mapping[str, Sequence[int]], repeats: int) -> bool:
    """Whether the runs of a glass that has been timed to the end do not agree."""
    return any(not is_enough(runs_ms, repeats) for runs_ms in ends.values())


def glass_findings(runs: Runs, repeats: int, unheard: Iterable[str]) -> tuple[Finding, ...]:
    """What is wrong with the glasses, and with their tilt switches, after a whole calibration."""
    found = [
        Finding("glass_wanders", "stops", (glass,), {"glass": glass, "seconds": _seconds(max(map(_spread, ends)))})
        for glass, of in runs.items()
        if (ends := [runs_ms for runs_ms in of.values() if runs_ms]) and wanders(of, repeats)
    ]
    found += [Finding("glass_unheard", "stops", (glass,), {"glass": glass}) for glass in dict.fromkeys(unheard)]
    return tuple(found)


def _spread(runs_ms: Sequence[int]) -> int:
    return max(runs_ms) - min(runs_ms)


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f}"

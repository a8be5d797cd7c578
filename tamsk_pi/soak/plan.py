"""What the n-th game of a soak is: level, rules, board, players and faults, all drawn from the seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final, Literal

import attrs

from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.sim.hands import Tempo
from tamsk_pi.sim.sand import GlassMs, nominal_glass_ms
from tamsk_pi.sim.sensors import Bounce, Habits
from tamsk_pi.sim.truth import Fitted

FAULTS: Final = (
    *("bounce", "transit", "rattle", "shake", "hang", "stuck", "weak", "noisy"),
    *("pause", "takeback", "link", "kill", "power"),
)
"""What can be ordered.

bounce: contacts that bounce long; transit: glasses slid over sockets on their way; rattle: tilt balls that rattle long
and are jolted while the glass stands; shake: a tilt, a ring stack or a holder that goes to and fro for up to a minute;
hang: a tilt ball or a ring stack that tells nothing for a while; stuck: a contact welded shut or come off; weak: one
that flickers; noisy: one that toggles by itself; pause: the arbiter's; takeback: the players agree to take the last
move back; link: cut and restored; kill: the program killed while it writes its journal; power: cut, and no
clock tells for how long, so that the players say what the sand was.
"""

LONGEST_MS: Final = 1_800_000
"""No game that the players finish lasts for half an hour."""

RingMode = Literal["stack", "holder", "buttons"]


class FaultListError(ValueError):
    """A list of faults that names something else; the text tells what is allowed."""


def faults_from_text(text: str) -> tuple[str, ...]:
    """The faults that a comma-separated list names; `all` and `none` stand for themselves."""
    names = [name.strip() for name in text.split(",")]
    if names == ["none"]:
        return ()
    if names == ["all"]:
        return FAULTS
    wrong = [name for name in names if name not in FAULTS]
    if wrong:
        raise FaultListError(f"unknown fault {wrong[0]!r}; allowed: all, none, or a list of {', '.join(FAULTS)}")
    return tuple(name for name in FAULTS if name in names)


@attrs.frozen(kw_only=True)
class Order:
    """What is wanted of all games alike. None: each game draws its own."""

    seed: int = 1
    faults: tuple[str, ...] = FAULTS
    level: int | None = None
    rings: RingMode | None = None
    settle_ms: int | None = None
    """Another settle time of sockets than the sensors need, to show that the comparison can fail."""
    cap_loss: float | None = None
    """The share of all transmissions that is lost, where the travelling tilts go by radio; None: they have wires."""


@attrs.frozen(kw_only=True)
class Plan:
    """One game. Everything in it follows from the order and the game's number."""

    number: int
    seed: str
    faults: tuple[str, ...]
    level: int
    rules: str
    fitted: Fitted
    clumsy: float
    glass_ms: GlassMs
    tempo: Tempo
    habits: Habits
    settle_ms: int | None
    cap_loss: float | None
    setup: Literal["corners", "free"]
    tolerance_ms: int


_SENSORS: Final[tuple[tuple[Literal["reed", "hall"], bool], ...]] = (
    ("reed", True),
    ("hall", True),
    ("hall", False),
    ("reed", True),
    ("reed", False),
)
_NOT_WITH_CAPS: Final = ("kill", "power", "stuck", "noisy")
"""A program that is killed takes with it what it held back, and what was lifted in that time nobody can say.

A socket is declared dead by a word, and a turning that is on its way as somebody speaks is told as of that word.
"""

_BOARDS: Final = tuple(
    Fitted(sockets, tilt, rings) for sockets, tilt in _SENSORS for rings in ("stack", "holder", "stack", "buttons")
)
"""Every way of sensing, the most usual ones more often."""


def plan_game(order: Order, number: int) -> Plan:
    """The game of that number: levels, ring modes and kinds of sensors are gone through in turn."""
    seed = f"{order.seed}/{number}"
    rng = random.Random(f"{seed}/plan")
    boards = _BOARDS if order.cap_loss is None else [fitted for fitted in _BOARDS if fitted.tilt]
    fitted = boards[number // 3 % len(boards)]
    if order.rings is not None:
        fitted = attrs.evolve(fitted, rings=order.rings)
    level = order.level or 1 + number % 3
    # Which glass was set down first nobody can tell where no tilt sensor says which was turned.
    tells_glasses = fitted.tilt and level > 1
    rattling = _RATTLING if order.cap_loss is None else _RATTLING_CAP
    return Plan(
        number=number,
        seed=seed,
        faults=tuple(name for name in order.faults if name not in _NOT_WITH_CAPS or order.cap_loss is None),
        level=level,
        rules=rng.choice(tuple(EDITIONS)),
        fitted=fitted,
        clumsy=rng.choice((0.0, 0.1, 0.3)),
        glass_ms=_glass_ms(rng),
        tempo=_SLIDING if "transit" in order.faults and rng.random() < 0.7 else Tempo(),
        habits=rattling if "rattle" in order.faults and rng.random() < 0.7 else Habits(),
        settle_ms=order.settle_ms,
        cap_loss=order.cap_loss,
        setup="free" if tells_glasses and rng.random() < 0.25 else "corners",
        tolerance_ms=rng.choice((0, 0, 0, 500, 2_000)),
    )


_SLIDING: Final = Tempo(carry=(500, 1_200), hover=(30, 110), hover_chance=0.9, hovers=(1, 4), knock_chance=0.3)
"""Glasses are slid: low over up to four sockets in a row, over each for just less than its settle time."""

_RATTLING: Final = Habits(tilt=Bounce(4, 60), knock_ms=120)
"""Tilt balls that roll to and fro for half a second, and come off for nearly their settle time when jolted."""


def _glass_ms(rng: random.Random) -> GlassMs:
    """Glasses as long as their name says, or short ones, so that they stop, games close and ties are broken."""
    full_ms = rng.choice((None, 20_000, 40_000, 60_000))
    if full_ms is None:
        return nominal_glass_ms()
    stray: Callable[[int], int] = lambda nominal_ms: nominal_ms + rng.randrange(-nominal_ms // 20, nominal_ms // 20)  # noqa: E731
    names: Iterable[tuple[str, int]] = [*((glass, full_ms) for glass in GLASSES), (TIMER, 15_000)]
    return {name: {end: stray(nominal_ms) for end in ("a", "b")} for name, nominal_ms in names}


_RATTLING_CAP: Final = Habits(tilt=Bounce(4, 40), knock_ms=60)
"""A cap tells nothing of what lasts for less than it takes to settle: a ball that rolls any longer would seem to have
come to rest in between, and nobody could tell that from another turning."""

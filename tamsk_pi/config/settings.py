"""Every setting of the program: its unit, range, default, purpose and reason, in one table.

The classes below are that table. The checker, `tamsk-pi config explain` and `docs/configuration.md` read it; nothing
about a setting is written anywhere else. Where a setting is also a key of a trace's header, it has the same name.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import attrs

from firmware_bridge.line import BAUD, BAUDS
from tamsk_pi.config.allowed import Choice, Day, Flag, HostName, ListOf, ShortName, Text, Whole
from tamsk_pi.config.structure import option
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.rules.sand import GLASS_MS, TIMER_MS
from tamsk_pi.sensing.edges import InputKind
from tamsk_pi.sensing.settings import GAP_MS, SETTLE_MS
from tamsk_pi.signals.language import LANGUAGES

_UNNAMED: Final = "Empty: the record says red and black."


@attrs.frozen
class Names:
    """The players' names."""

    red: str = option(Text("a name", 60), "red's name, for the record and the page", default="", reason=_UNNAMED)
    black: str = option(Text("a name", 60), "black's name, for the record and the page", default="", reason=_UNNAMED)


@attrs.frozen
class Tolerance:
    """How far a judgement that rests on the sand model alone is widened."""

    glass: int = option(
        Whole(0, 10_000),
        "how far a 3-minute glass may stray from its measured time before its stopping is held against anyone",
        default=2000,
        unit="ms",
        reason="Real sand strays by seconds between two runs; Set it from the spread that you measure.",
    )
    timer: int = option(
        Whole(0, 5000),
        "the same for the 15-second timer",
        default=700,
        unit="ms",
        reason="About a twentieth of its time, as for the large glasses' worst.",
    )


def _glass_end(default: int) -> Any:
    high = 600_000 if default == GLASS_MS else 120_000
    return option(
        Whole(1000, high),
        "how long a full upper chamber runs with this end up",
        default=default,
        unit="ms",
        reason="The nominal time. Real glasses differ from it, from each other and between their ends: measure them.",
    )


@attrs.frozen
class Ends:
    """A 3-minute glass: its time with each end up."""

    a: int = _glass_end(GLASS_MS)
    b: int = _glass_end(GLASS_MS)


@attrs.frozen
class TimerEnds:
    """The timer: its time with each end up."""

    a: int = _glass_end(TIMER_MS)
    b: int = _glass_end(TIMER_MS)


@attrs.frozen
class GlassTimes:
    """How long each glass runs. A single number stands for both ends."""

    R1: Ends = Ends()
    R2: Ends = Ends()
    R3: Ends = Ends()
    B1: Ends = Ends()
    B2: Ends = Ends()
    B3: Ends = Ends()
    N: TimerEnds = TimerEnds()


def _gap(kind: InputKind, words: str, reason: str) -> Any:
    return option(
        Whole(1, 1000),
        f"successive edges of one {words} closer together than this form a burst",
        default=GAP_MS[kind],
        unit="ms",
        reason=reason,
    )


@attrs.frozen
class Gaps:
    """When edges belong together, by kind of input."""

    socket: int = _gap("socket", "socket", "Reeds bounce for a few ms; a passing magnet takes longer.")
    tilt: int = _gap("tilt", "tilt switch", "A ball rolls back and forth for a tenth of a second.")
    ring: int = _gap("ring", "ring stack", "A ring slides past the contacts as it drops.")
    holder: int = _gap("holder", "ring holder", "Fingers move the stack while they take a ring.")
    button: int = _gap("button", "button", "Push buttons bounce for up to 10 ms.")


def _settle(kind: InputKind, words: str, reason: str) -> Any:
    return option(
        Whole(1, 2000),
        f"a {words} that has kept its value this long has settled",
        default=SETTLE_MS[kind],
        unit="ms",
        reason=reason,
    )


@attrs.frozen
class Settles:
    """When a change counts, by kind of input. Not below the gap of the same kind."""

    socket: int = _settle(
        "socket", "socket", "Longer than a carried glass closes a socket on its way, too short to notice."
    )
    tilt: int = _settle("tilt", "tilt switch", "The ball has come to rest.")
    ring: int = _settle("ring", "ring stack", "The ring lies.")
    holder: int = _settle("holder", "ring holder", "The fingers are off the stack.")
    button: int = _settle("button", "button", "A press must feel immediate.")


@attrs.frozen
class Faults:
    """When an input is no longer trusted."""

    weak_flickers_per_min: int = option(
        Whole(1, 600),
        "an input that flickers under its settle time more often than this is named in one notice",
        default=6,
        unit="flickers/min",
        reason="Now and then a sleeve brushes a magnet past; every ten seconds it is the sensor.",
    )


@attrs.frozen
class Gpio:
    """The Pi's own pins."""

    pin_factory: Literal["lgpio", "rpigpio", "mock"] = option(
        Choice(("lgpio", "rpigpio", "mock")),
        "the gpiozero pin factory; there is no fall-back to another",
        default="lgpio",
        reason="It works through the kernel on every Pi; rpigpio is for older systems, mock for machines without pins.",
    )


@attrs.frozen
class LoadCell:
    """A ring holder's load cell."""

    zero: int = option(
        Whole(-8_388_608, 8_388_607),
        "what the bridge's load cell reads under the empty ring holder",
        default=0,
        unit="raw units",
        reason="`tamsk-pi calibrate holders` measures it; every cell is another.",
    )
    ring: int = option(
        Whole(-8_388_608, 8_388_607),
        "by how much its reading goes up for each ring; below 0 for a cell that hangs upside down, 0: not calibrated",
        default=0,
        unit="raw units",
        reason='`tamsk-pi calibrate holders` measures it. Without it rings = "holder" is refused on a bridge.',
    )


@attrs.frozen
class LoadCells:
    """The load cells under the two ring holders."""

    red: LoadCell = LoadCell()
    black: LoadCell = LoadCell()


@attrs.frozen
class Bridge:
    """The firmware bridge."""

    port: str = option(
        Text("a serial device such as /dev/tamsk-bridge, or auto", 200, 1),
        "where the bridge is plugged in",
        default="auto",
        reason="auto asks each serial device who it is, so that nothing needs to be set.",
    )
    baud: Literal[115_200, 500_000, 1_000_000] = option(
        Choice(BAUDS),
        "the rate of its serial line; its firmware must be built for the same (`tamsk-pi firmware build --baud N`)",
        default=BAUD,
        unit="baud",
        reason="Every USB serial chip takes it, and it is quick enough for hands; 1000000 tells 44 edges within 4 ms.",
    )
    load_cell: LoadCells = LoadCells()


@attrs.frozen
class CapRadio:
    """The caps' receiver on the Pi's own bus."""

    device: str = option(
        Text("a device such as /dev/spidev0.1", 200, 1),
        'where the receiver is, with caps = "pi"',
        default="/dev/spidev0.1",
        reason="The first bus has the lamps on its other select line.",
    )
    irq_line: int = option(
        Whole(2, 27),
        "BCM number of the line by which it calls",
        default=3,
        unit="GPIO",
        reason="With the lamps and all rows fitted, only the lines of the clock chip are left.",
    )


@attrs.frozen
class Web:
    """The page."""

    host: str = option(
        Text("an address of this machine", 200, 1),
        "where the page listens",
        default="127.0.0.1",
        reason="Nobody else on the network can reach it unless you want them to.",
    )
    port: int = option(
        Whole(0, 65535), "its TCP port; 0 for any free one", default=8037, reason="Free on most machines."
    )
    names: tuple[str, ...] = option(
        ListOf(HostName()),
        "further names by which the page is reached, through a proxy or by DNS; with any, pages from elsewhere must be"
        " paired",
        default=(),
        reason="A strange name that is pointed at this machine must not open the page.",
    )


@attrs.frozen
class Club:
    """The hub to which the games are told."""

    event: str = option(
        ShortName(),
        "the event that this board takes part in, by the name that the hub knows it by",
        default="",
        reason="Empty: nothing is told to anybody.",
    )
    board: int = option(Whole(1, 9999), "this board's number in the event", default=1, reason="No two may share one.")
    broker: str = option(
        Text("a host name or an address", 200, 1),
        "where the event's MQTT broker is",
        default="127.0.0.1",
        reason="On the hub's own machine, for a try.",
    )
    port: int = option(
        Whole(1, 65535), "the broker's TCP port", default=1883, reason="MQTT's own; with TLS it is 8883 by custom."
    )
    user: str = option(
        Text("a name", 100), "this board's user at the broker", default="", reason="Empty: the broker asks for none."
    )
    password_file: str = option(
        Text("a file", 400), "the file that holds its password, and nothing else", default="", reason="Empty: none."
    )
    ca_file: str = option(
        Text("a file", 400),
        "the certificate of the authority that signed the broker's; with it the connection is by TLS",
        default="",
        reason="Empty: no TLS, which a hall's own network may do without.",
    )


@attrs.frozen
class Journal:
    """The record of every game."""

    folder: str = option(
        Text("a folder", 400),
        "where games are kept, each as a trace",
        default="",
        reason="Empty: games/ in the service's state folder, else tamsk-pi/games in the user's data folder.",
    )


@attrs.frozen
class Settings:
    """The program's configuration."""

    level: Literal[1, 2, 3] = option(
        Choice((1, 2, 3)),
        "1: no sand; 2: glasses are turned over; 3: also the 15-second timer",
        default=1,
        reason="Nothing can be misjudged before the glasses are measured.",
    )
    rules: Literal["rulebook", "wikipedia", "schmidt1998"] = option(
        Choice(tuple(EDITIONS)),
        "the edition that says what an expired timer costs",
        default="rulebook",
        reason="The current rules.",
    )
    setup: Literal["corners", "free"] = option(
        Choice(("corners", "free")),
        "corners, or free placement in each side's first three turns",
        default="corners",
        reason="The rules' own start; free is their variation.",
    )
    event: str = option(
        Text("a title", 120), "what is played for, in the record", default="", reason="Empty: left out."
    )
    names: Names = Names()
    language: Literal["auto", "en", "de", "es"] = option(
        Choice(("auto", *LANGUAGES)),
        "what rulings are told in; auto: as the locale says",
        default="auto",
        reason="English where the locale asks for none of them.",
    )
    board: str = option(
        Text("a profile's name or a path to one", 400, 1),
        "the board profile",
        default="matrix",
        reason="The board that needs nothing but a Pi.",
    )
    rings: Literal["board", "stack", "holder", "buttons"] = option(
        Choice(("board", "stack", "holder", "buttons")),
        "how rings are noticed; board: the first way that the board's profile names",
        default="board",
        reason="The profile knows what is fitted.",
    )
    sockets: Literal["board", "reed", "hall"] = option(
        Choice(("board", "reed", "hall")),
        "the sensor in the sockets; board: as the board's profile says",
        default="board",
        reason="The profile knows what is fitted.",
    )
    tilt: Literal["board"] | bool = option(
        Choice(("board", True, False)),
        "whether tilt switches are trusted; false: every move at levels 2 and 3 is taken to have turned its glass",
        default="board",
        reason="The profile knows what is fitted; false plays on with a broken switch.",
    )
    caps: Literal["none", "bridge", "pi"] = option(
        Choice(("none", "bridge", "pi")),
        "whether the six glasses that travel have radio caps, and what hears them: the bridge's Mega, or the Pi itself",
        default="none",
        reason="Caps are a choice of the builder's; a board with hall sensors in its sockets plays without.",
    )
    tolerance_ms: Tolerance = Tolerance()
    glass_ms: GlassTimes = GlassTimes()
    calibrated_on: str = option(
        Day(),
        "when glass_ms was measured",
        default="",
        reason="Empty: never. Write the date beside the times that you measured.",
    )
    gap_ms: Gaps = Gaps()
    settle_ms: Settles = Settles()
    release_ms: int = option(
        Whole(0, 5000),
        "how long a glass stands in its socket before it counts as let go; lifted sooner it was not placed there",
        default=300,
        unit="ms",
        reason="Hands rest a moment on a neighbour on their way; nobody plays a move and takes it up again so fast.",
    )
    flip_grace_ms: int = option(
        Whole(0, 5000),
        "how long before a lift and after a placing a turning over belongs to that move",
        default=500,
        unit="ms",
        reason="Hands turn the glass on the way, some a moment late.",
    )
    ring_window_ms: int = option(
        Whole(500, 60_000),
        "levels 2 and 3: how long after a placing its ring may be dropped",
        default=3000,
        unit="ms",
        reason="Time to reach for a ring, not to think about it.",
    )
    penalty_window_ms: int = option(
        Whole(500, 120_000),
        "how long a penalty ring may be dropped after the move that opens the right",
        default=10_000,
        unit="ms",
        reason="The whole board is to be looked over.",
    )
    confirm_missed_turning: bool = option(
        Flag(),
        "whether a turning that a tilt switch missed may be confirmed by a press within five seconds",
        default=False,
        reason="Off until a switch is known to miss turnings: it lets players overrule the sensor.",
    )
    faults: Faults = Faults()
    gpio: Gpio = Gpio()
    bridge: Bridge = Bridge()
    cap_radio: CapRadio = CapRadio()
    web: Web = Web()
    club: Club = Club()
    journal: Journal = Journal()

"""`tamsk-pi watch`: every raw input of a board on a terminal, for whoever solders it."""

from __future__ import annotations

import os
import queue
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import attrs
import click

from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.commands.caps import paired_rates, with_caps
from tamsk_pi.config.load import BRIDGE, load_settings, parse_overrides
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.config.settings import Settings
from tamsk_pi.devices.base import Device, DeviceError
from tamsk_pi.devices.caps import CapState, HasCaps
from tamsk_pi.ending import on_ending
from tamsk_pi.rules.board import COLUMNS, GLASSES, PLAYERS, SOCKETS, TIMER, owner_of
from tamsk_pi.sensing.edges import BUTTONS, Edge, EdgeValue
from tamsk_pi.signals.language import N_, Say, catalogue, chosen_language, in_english
from tamsk_pi.terminal import complain

if TYPE_CHECKING:
    from tamsk_pi.sim.rig import SimulatedBoard

FRAME_MS: Final = 100
LAST_EDGES: Final = 8
SILENT_MS: Final = 1000
_TALLEST: Final = 7
_CLOSED, _OPEN, _UNKNOWN = "●", "·", "?"
_CELL: Final = 9
_CAP_CELL: Final = 20


class Pump(Protocol):
    """A virtual board, whose time passes when it is told to."""

    def run_to(self, now_ms: int) -> None: ...


@attrs.define
class Picture:
    """What is known of the inputs: their values, how often each has changed, and the last edges."""

    values: dict[tuple[str, str], EdgeValue]
    edges: dict[tuple[str, str], int] = attrs.field(factory=dict)
    last: list[Edge] = attrs.field(factory=list)
    say: Say = in_english
    caps: Mapping[str, CapState] = attrs.field(factory=dict)
    """How each glass's cap is, where there are any."""

    def take(self, edges: Sequence[Edge]) -> None:
        """Take edges in order of time."""
        for edge in edges:
            key = (edge.kind, edge.name)
            self.values[key] = edge.value
            self.edges[key] = self.edges.get(key, 0) + 1
        self.last = [*self.last, *edges][-LAST_EDGES:]

    def text(self, *, begun_ms: int, heard: bool) -> str:
        """The whole picture, line by line."""
        lines = [*self._board(), "", *self._others(), ""]
        lines.append(self.say(N_("last edges (s since the start):") if self.last else N_("no edge yet")))
        lines += [line_of(edge, begun_ms, self.say) for edge in self.last]
        if not heard:
            lines.append(self.say(N_("THE BOARD IS NOT READ: nothing above is to be believed")))
        return "\n".join(lines)

    def _board(self) -> Iterator[str]:
        """The hexagon: half a socket's height between two lines, so that neighbours stand beside each other."""
        heights = {column: sum(socket[0] == column for socket in SOCKETS) for column in COLUMNS}
        for half in range(2 * _TALLEST - 1):
            cells = []
            for column in COLUMNS:
                row, rest = divmod(half - (_TALLEST - heights[column]), 2)
                shown = rest == 0 and 0 <= row < heights[column]
                cells.append(self._cell("socket", f"{column}{heights[column] - row}") if shown else "")
            yield "".join(cell.ljust(_CELL) for cell in cells).rstrip()

    def _others(self) -> Iterator[str]:
        tilts = (self._cell("tilt", glass).ljust(_CELL) for glass in (*GLASSES, TIMER))
        yield self._row(N_("tilt"), tilts)
        if self.caps:
            yield self._row(N_("caps"), (self._cap(glass).ljust(_CAP_CELL) for glass in self.caps))
        yield self._row(N_("buttons"), (self._cell("button", name).ljust(16) for name in BUTTONS))
        if any(kind == "holder" for kind, _ in self.values):
            yield self._row(N_("holders"), (self._cell("holder", side).ljust(16) for side in PLAYERS))
        stacks = [self._cell("ring", socket) for socket in SOCKETS if self.values.get(("ring", socket))]
        if any(kind == "ring" for kind, _ in self.values):
            yield self._row(N_("rings"), [" ".join(stacks) or self.say(N_("none"))])

    def _cap(self, glass: str) -> str:
        """A cap: when it was heard, its cell, and how often it had no answer."""
        health = self.caps[glass].health
        if health.twins:
            return f"{glass} {self.say(N_('two caps'))}"
        if health.heard_ago_ms is None or not self.caps[glass].heard:
            return f"{glass} {self.say(N_('not heard'))}"
        share = health.lost / max(1, health.packets + health.lost)
        return f"{glass} {health.heard_ago_ms // 1000} s {health.cell_mv / 1000:.2f} V {share:.0%}"

    def _row(self, name: str, cells: Iterable[str]) -> str:
        return f"{self.say(name):<9}{''.join(cells)}".rstrip()

    def _cell(self, kind: str, name: str) -> str:
        """An input: its name, its value, and how often it has changed."""
        value = self.values.get((kind, name), _UNKNOWN)
        if isinstance(value, bool):
            value = _CLOSED if value else _OPEN
        count = self.edges.get((kind, name), 0)
        return f"{name} {_OPEN if value is None else value}{f' {count}' if count else ''}"


def line_of(edge: Edge, begun_ms: int, say: Say = in_english) -> str:
    """An edge on a line of its own; what it is of is named as in a trace, in any language."""
    value = edge.value
    if value is None:
        value = say(N_("no field"))
    elif isinstance(value, bool):
        value = say(N_("closed") if value else N_("open"))
    return f"{(edge.t_ms - begun_ms) / 1000:9.3f}  {edge.kind} {edge.name} {value}"


@attrs.frozen(kw_only=True)
class Watch:
    """Watches a device that is open, and writes what it sees. `live`: one picture, over and over; else a line an edge.

    `pump` is the virtual board where the device is one.
    """

    device: Device
    clock: Clock
    write: Callable[[str], None]
    live: bool
    pump: Pump | None = None
    say: Say = in_english
    longest_wait_ms: int = FRAME_MS
    """How long to wait for edges before looking at everything else."""

    def run(self, stopped: Callable[[], bool]) -> None:
        """Watch until `stopped` says so; it is asked before every look."""
        came: queue.SimpleQueue[Sequence[Edge]] = queue.SimpleQueue()
        picture = Picture(dict(self.device.inputs()), say=self.say)
        begun_ms = self.clock.now_ms()
        self.device.start(came.put)
        if not self.live:
            self.write(picture.text(begun_ms=begun_ms, heard=True) + "\n")
        while not stopped():
            if self.pump is not None:
                self.pump.run_to(self.clock.now_ms())
            edges = _waited_for(came, self.longest_wait_ms)
            picture.take([edge for edge in edges if edge.kind != "cap"])
            if isinstance(self.device, HasCaps):
                picture.caps = self.device.caps()
            heard = self.clock.now_ms() - self.device.alive_at_ms() <= SILENT_MS
            if self.live:
                self._draw(picture.text(begun_ms=begun_ms, heard=heard))
            else:
                for edge in edges:
                    self.write(line_of(edge, begun_ms, self.say) + "\n")
                if not heard:
                    self.write(self.say(N_("the board is not read any more")) + "\n")
                    return

    def _draw(self, text: str) -> None:
        rows = text.splitlines()[: max(1, shutil.get_terminal_size().lines - 1)]
        # To the top left; each line, and what is below the last one, is cleared before it is written over.
        self.write("\x1b[H" + "".join(f"\x1b[K{row}\n" for row in rows) + "\x1b[J")


def _waited_for(came: queue.SimpleQueue[Sequence[Edge]], longest_ms: int) -> list[Edge]:
    """Every edge that is there, or those that come first within `longest_ms`."""
    edges: list[Edge] = []
    try:
        edges += came.get(block=longest_ms > 0, timeout=longest_ms / 1000)
        while True:
            edges += came.get_nowait()
    except queue.Empty:
        return edges


@click.command()
@click.option("--board", metavar="NAME", help="A board profile's name or a path to one; else as configured.")
@click.option("--simulated", is_flag=True, help="A virtual board, on which glasses are lifted and put back in turn.")
@click.option("--lines", is_flag=True, help="Print a line an edge instead of one picture that is kept up to date.")
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files.")
def command(board: str | None, simulated: bool, lines: bool, pairs: tuple[str, ...]) -> None:
    """Show every raw input of the board, live: its value, and how often it has changed.

    Nothing is debounced: a contact that bounces shows it. Ctrl-C ends. Without a terminal a line is printed for every
    edge.
    """
    try:
        settings = load_settings(parse_overrides(pairs)).settings
        name = settings.board if board is None else board
        profile = load_profile("matrix" if name == BRIDGE else name)
    except ConfigError as error:
        complain(error)
        sys.exit(2)
    stop: list[bool] = []
    on_ending(lambda: stop.append(True))
    clock = MonotonicClock()
    pump: Pump | None = None
    if simulated:
        device, pump = _virtual(profile, clock)
    elif name == BRIDGE:
        device = _bridge(settings)
    else:
        device = _matrix(profile, settings)
    live = not lines and sys.stdout.isatty()

    def write(text: str) -> None:
        click.echo(text, nl=False)

    try:
        device.open()
        write("\x1b[2J" if live else "")
        say = catalogue(chosen_language(settings.language, os.environ)).gettext
        Watch(device=device, clock=clock, write=write, live=live, pump=pump, say=say).run(lambda: bool(stop))
    except DeviceError as error:
        complain(error)
        sys.exit(1)
    finally:
        device.close()


def _matrix(profile: BoardProfile, settings: Settings) -> Device:
    from tamsk_pi.devices.gpio.board import MatrixBoard

    board = MatrixBoard(profile, pin_factory=settings.gpio.pin_factory)
    return with_caps(board, settings) if settings.caps == "pi" else board


def _bridge(settings: Settings) -> Device:
    from tamsk_pi.commands.bridge_link import bridge_board

    return bridge_board(settings.bridge, rates=paired_rates(settings))


def _virtual(profile: BoardProfile, clock: Clock) -> tuple[Device, Pump]:
    from tamsk_pi.sim.rig import SimulatedBoard, Table

    rig = SimulatedBoard(profile, clock, 1, Table())
    return rig, _Fidgeting(rig)


class _Fidgeting:
    """The virtual board with hands that lift a glass and put it back, one glass after the other."""

    def __init__(self, rig: SimulatedBoard) -> None:
        self._rig = rig
        self._due_ms = rig.board.now_ms + 1000
        self._turn = 0

    def run_to(self, now_ms: int) -> None:
        rig = self._rig
        if now_ms >= self._due_ms:
            glass = GLASSES[self._turn // 2 % len(GLASSES)]
            act = rig.hands.put_back if self._turn % 2 else rig.hands.lift
            act(owner_of(glass), glass, max(now_ms, rig.board.now_ms))
            self._turn += 1
            self._due_ms = now_ms + 1000
        rig.run_to(now_ms)

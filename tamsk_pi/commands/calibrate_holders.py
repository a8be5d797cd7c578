"""`tamsk-pi calibrate holders`: weigh the ring holders of a bridge board, empty and with a known number of rings."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import attrs
import click

from firmware_bridge.events import CommandEnded, Greeted, Refused, Snapshot
from firmware_bridge.link import BridgeLink, LinkEvent, Looking
from firmware_bridge.protocol import READ_LOAD_CELLS, Status, Type, parse_load_cells
from tamsk_pi.config.load import load_settings, parse_overrides
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.devices.load_cell import LEAST_RINGS, CalibrationError, Pair, Weighing, Weight, calibrated, count_of
from tamsk_pi.rules.board import PLAYERS, RINGS_PER_SIDE
from tamsk_pi.signals.language import N_, Say, catalogue, chosen_language, in_english
from tamsk_pi.terminal import complain

FAILED: Final = 1
BAD_CONFIG: Final = 2
FIND_S: Final = 20.0
ANSWER_S: Final = 2.0
BETWEEN_S: Final = 0.1
"""An HX711 has a new reading ten times a second."""


@attrs.frozen
class Scales:
    """The two load cells, read over a link that runs."""

    _link: BridgeLink
    _events: queue.SimpleQueue[LinkEvent]
    _between_s: float

    def read(self) -> Pair:
        """Red's and black's reading. `CalibrationError` when the board does not answer."""
        self._link.command(Type.READ, bytes((READ_LOAD_CELLS,)))
        by_s = time.monotonic() + ANSWER_S
        while (left_s := by_s - time.monotonic()) > 0:
            try:
                event = self._events.get(timeout=left_s)
            except queue.Empty:
                break
            match event:
                case CommandEnded(Type.READ, done) if done is not None and done.status is Status.OK:
                    return parse_load_cells(done.data)
                case CommandEnded(Type.READ, _):
                    break
        raise CalibrationError("the board no longer answers: check its cable, and begin anew")

    def weigh(self) -> Mapping[str, Weight]:
        """What both holders weigh while nobody touches them."""
        weighing, pause = Weighing(), threading.Event()
        while not weighing.is_done:
            weighing.take(self.read())
            pause.wait(self._between_s)
        return weighing.weights()


@contextmanager
def open_scales(port: str, baud: int, between_s: float = BETWEEN_S) -> Iterator[Scales]:
    """The load cells of the board at this port. `CalibrationError` when there is none, or none with load cells."""
    events: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    link = BridgeLink(events.put, port=port, baud=baud)
    link.start()
    try:
        _await_board(events)
        yield Scales(link, events, between_s)
    finally:
        link.close()


def _await_board(events: queue.SimpleQueue[LinkEvent]) -> None:
    by_s = time.monotonic() + FIND_S
    while (left_s := by_s - time.monotonic()) > 0:
        try:
            event = events.get(timeout=left_s)
        except queue.Empty:
            break
        match event:
            case Greeted(hello) if hello.build.rings != "holder":
                raise CalibrationError(
                    f"the board's firmware is built for rings {hello.build.rings}, not holder: "
                    f"tamsk-pi firmware flash --sockets {hello.build.sockets} --rings holder"
                )
            case Refused(reason) | Looking(reason):
                raise CalibrationError(f"no bridge board: {reason}")
            case Snapshot():
                return
    raise CalibrationError(f"no bridge board: no answer within {FIND_S:.0f} s")


def calibrate(scales: Scales, count: int, ask: Callable[[str], None], say: Say = in_english) -> str:
    """Weigh step by step, as `ask` asks for in the language of `say`; what to put into the configuration.

    `CalibrationError` where it fails.
    """
    ask(say(N_("Take every ring off both holders.")))
    empty = scales.weigh()
    ask(say(N_("Put {count} rings on each holder.")).format(count=count))
    loaded = scales.weigh()
    cells = calibrated(empty, loaded, count)
    ask(say(N_("Take one ring off each holder.")))
    after = scales.weigh()
    for player in PLAYERS:
        counted = count_of(cells[player], after[player])
        if counted != count - 1:
            # A text for each player, as names are not put into sentences alike in all languages.
            text = (
                N_("red's holder counts {counted} rings now, not {due}: were {count} on it before? Begin anew")
                if player == "red"
                else N_("black's holder counts {counted} rings now, not {due}: were {count} on it before? Begin anew")
            )
            raise CalibrationError(say(text).format(counted=counted, due=count - 1, count=count))
    lines = [f"{player} = {{ zero = {cells[player].zero}, ring = {cells[player].ring} }}" for player in PLAYERS]
    return "\n".join(["[bridge.load_cell]", *lines])


def _asker(say: Say) -> Callable[[str], None]:
    then = say(N_("Then press Enter"))

    def ask(text: str) -> None:
        click.prompt(f"{text} {then}", default="", show_default=False, prompt_suffix=": ", err=True)

    return ask


@click.command(name="holders")
@click.option("--port", help="The board's port, or auto; else as configured.")
@click.option(
    "--rings",
    "count",
    type=click.IntRange(LEAST_RINGS, RINGS_PER_SIDE),
    default=RINGS_PER_SIDE,
    show_default=True,
    help="How many rings are put on each holder.",
)
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files.")
def command(port: str | None, count: int, pairs: tuple[str, ...]) -> None:
    """Weigh the ring holders of a bridge board, empty and loaded, and print what to put into the configuration.

    No program may be using the board. The questions go to standard error, the result to standard output.
    """
    try:
        settings = load_settings(parse_overrides(pairs)).settings
    except ConfigError as error:
        complain(error)
        raise SystemExit(BAD_CONFIG) from None
    say = catalogue(chosen_language(settings.language, os.environ)).gettext
    try:
        with open_scales(port or settings.bridge.port, settings.bridge.baud) as scales:
            click.echo(calibrate(scales, count, _asker(say), say))
    except CalibrationError as error:
        complain(error)
        raise SystemExit(FAILED) from None

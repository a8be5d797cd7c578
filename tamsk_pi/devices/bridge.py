"""The bridge board as a device: the Mega's stamped edges in, lamps and tones out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from firmware_bridge.events import (
    Caps,
    Change,
    CommandEnded,
    Edges,
    Fault,
    Greeted,
    InputLimited,
    Lost,
    Refused,
    Snapshot,
)
from firmware_bridge.inputs import TRAVELLING, Build, InputName, Value
from firmware_bridge.line import BAUD
from firmware_bridge.link import BridgeLink, Dump, LinkEvent, Looking, no_dump
from firmware_bridge.protocol import Config, Hello, Status, Type, rates_body
from tamsk_pi.devices.base import DeviceError, LampFrame, Post, Tone
from tamsk_pi.devices.caps import CapState, CapWatch, Held, LateEdges
from tamsk_pi.sensing.edges import HOLDERS, INPUT_KINDS, Edge, EdgeValue, InputKind

OPEN_S: Final = 20.0
"""Time for a few ports to be asked, each for as long as a Mega may be in its boot loader; a search that has found
nothing ends the wait sooner."""
WEIGHED_S: Final = 1.5
"""Time for load cells to answer: they have a reading ten times a second, and the first after half a second."""

CAPS_S: Final = 13.0
"""Time for every cap to give a sign of life, which comes each eight seconds of a clock that may run slow: a receiver
that
has just been started has heard of none. A cap that has not is a fault of its glass, and no reason to wait for it
longer."""

_KINDS: Final[Mapping[str, InputKind]] = {kind: kind for kind in INPUT_KINDS}
_TONES_MAX: Final = 16
_LENGTH_MAX_MS: Final = 0xFFFF

_log = logging.getLogger(__name__)


class Link(Protocol):
    """What a bridge board needs of `BridgeLink`."""

    def start(self) -> None: ...

    def close(self) -> None: ...

    def lamps(self, panel: Mapping[str, bool], red: frozenset[str], green: frozenset[str]) -> None: ...

    def tones(self, tones: Sequence[tuple[int, int]]) -> None: ...

    def command(self, command: Type, body: bytes = b"") -> None: ...

    def alive_us(self) -> int | None: ...


MakeLink = Callable[[Callable[[LinkEvent], None]], Link]


class BridgeBoard:
    """A `Device` on the other end of a cable.

    A board that goes away is looked for by the link; meanwhile `alive_at_ms` stands still and `inputs` keeps the last
    state. When it is back, what differs from that state is posted as edges at the time of the new snapshot: a game
    that has noticed the gap compares the whole board, one that has not goes on with the right state.

    Whatever the firmware lights on its own, two seconds after the host has gone, is the firmware's: the amber lamp.
    """

    def __init__(
        self,
        port: str = "auto",
        *,
        baud: int = BAUD,
        config: Config | None = None,
        expected: Build | None = None,
        dump: Dump = no_dump,
        make_link: MakeLink | None = None,
        open_s: float = OPEN_S,
        caps_s: float = CAPS_S,
        rates: Sequence[tuple[int, float]] = (),
    ) -> None:
        """`expected`: what the firmware must be built for. `dump` keeps the last frames on a fault. `make_link` makes
        another link than the one to a real port, for tests and the simulator. `caps_s`: how long caps are waited for.
        `rates`: id
        and clock rate of each cap, as it was paired."""
        self._make_link: MakeLink = make_link or (
            lambda on_event: BridgeLink(on_event, port=port, baud=baud, config=config, dump=dump)
        )
        self._open_s = open_s
        self._expected = expected
        self._caps_s = caps_s
        self._rates = tuple(rates)
        self._link: Link | None = None
        self._lock = threading.Lock()
        self._heard = threading.Event()
        self._weighed = threading.Event()
        self._all_heard = threading.Event()
        self._late = LateEdges()
        self._watch = CapWatch()
        self._inputs: dict[InputName, Value] | None = None
        self._early: list[Edge] = []
        self._post: Post | None = None
        self._frame: LampFrame | None = None
        self._alive_at_ms = 0
        self._reason = "it does not answer"
        self.hello: Hello | None = None
        """What the board said of itself."""
        self.limited: set[InputName] = set()
        """Inputs that change so often that the firmware leaves their edges out."""

    def open(self) -> None:
        if self._link is not None:
            return
        self._heard.clear()
        self._weighed.clear()
        self._all_heard.clear()
        self._late, self._watch = LateEdges(), CapWatch()
        link = self._link = self._make_link(self._take)
        link.start()
        if not self._heard.wait(self._open_s) or self._inputs is None:
            reason = self._reason
            self.close()
            raise DeviceError(f"no bridge board: {reason} (plug it in, or name its port)")
        if self._expected is not None and self.hello is not None and self.hello.build != self._expected:
            found, knows_caps, version = self.hello.build, self.hello.knows_caps, self.hello.firmware_version
            self.close()
            if found.tilts != self._expected.tilts:
                raise DeviceError(_other_tilts(self._expected, version, knows_caps))
            raise DeviceError(
                f"the bridge's firmware is built for sockets {found.sockets}, rings {found.rings}; the game wants "
                f"{self._expected.sockets}, {self._expected.rings} (set sockets and rings, or flash another build)"
            )
        if self._expected is not None and self._expected.rings == "holder" and not self._weighed.wait(WEIGHED_S):
            silent = [player for player in HOLDERS if ("holder", player) not in self.inputs()]
            self.close()
            raise DeviceError(
                f"no reading from the load cell of {' and '.join(silent)} (check its wires; tamsk-pi calibrate holders)"
            )
        if self.has_caps:
            self._all_heard.wait(self._caps_s)
            if self._watch.radio_answers is False:
                self.close()
                raise DeviceError("the caps' receiver on the Mega does not answer (check its wires and its 3.3 V)")

    @property
    def has_caps(self) -> bool:
        """Whether the glasses tell of their tilt by radio."""
        return self.hello is not None and self.hello.build.tilts == "caps"

    def caps(self) -> Mapping[str, CapState]:
        """How each glass's cap is; nothing without caps, or before their receiver has told."""
        with self._lock:
            late = self._late.late
            return {
                glass: CapState(health, self._watch.heard[glass], late.get(glass, 0))
                for glass, health in self._watch.health.items()
            }

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        with self._lock:
            if self._post is None:
                self._early.clear()
                self._late.drop()
            return {} if self._inputs is None else _known(self._inputs)

    def forget_held(self) -> None:
        """What was read and has not been posted yet is state, and no edges any more."""
        self._late.drop()

    def start(self, post: Post) -> None:
        with self._lock:
            early, self._early = self._early, []
            self._post = post
            if self.has_caps:
                early += [Edge(self._alive_at_ms, "cap", glass, False) for glass in self._watch.silent()]
            self._pass_on(early)

    def show(self, frame: LampFrame) -> None:
        self._frame = frame
        if self._link is not None:
            self._link.lamps(dict(frame.panel), frame.red_sockets, frame.green_sockets)

    def sound(self, tones: Sequence[Tone]) -> None:
        if self._link is not None:
            self._link.tones([(tone.pitch_hz, min(tone.length_ms, _LENGTH_MAX_MS)) for tone in tones[:_TONES_MAX]])

    def alive_at_ms(self) -> int:
        alive_us = self._link.alive_us() if self._link is not None else None
        if alive_us is not None:
            # An edge still to come may bear the same µs, and so the same ms.
            self._alive_at_ms = max(self._alive_at_ms, alive_us // 1000 - 1)
        post = self._post
        if not self.has_caps or post is None:
            return self._alive_at_ms
        return self._late.ask(self._alive_at_ms, post)

    def held(self) -> Held | None:
        """With caps: what has been told and not been posted yet."""
        return self._late.held(self._alive_at_ms) if self.has_caps and self._post is not None else None

    def release(self) -> Sequence[Edge]:
        """With caps: what is held, as somebody's word comes now."""
        return self._late.release(self._alive_at_ms) if self.has_caps and self._post is not None else ()

    def close(self) -> None:
        link, self._link = self._link, None
        if link is None:
            return
        link.lamps({}, frozenset(), frozenset())
        link.tones([])
        link.close()
        with self._lock:
            self._post = None
            self._inputs = None
            self._early.clear()
            self._frame = None

    # In the link's thread.

    def _take(self, event: LinkEvent) -> None:
        match event:
            case Edges():
                self._take_edges(event)
            case Snapshot():
                self._take_snapshot(event)
            case Caps():
                self._take_caps(event)
            case Greeted(hello):
                self.hello = hello
            case Lost(reason):
                self._reason = reason
                _log.warning("Bridge: %s", reason)
            case Refused(reason):
                self._reason = reason
                self._heard.set()
            case Looking(reason):
                self._reason = reason
                self._heard.set()  # whoever waits for the board is told at once that every port has been asked
            case InputLimited(_, name, limited):
                (self.limited.add if limited else self.limited.discard)(name)
                _log.warning("Bridge: %s %s %s", *name, "changes too often to be told" if limited else "is told again")
            case CommandEnded(command, done):
                if done is None or done.status is not Status.OK:
                    _log.warning(
                        "Bridge: %s failed: %s", command.name, "no answer" if done is None else done.status.name
                    )
            case Fault(text):
                _log.warning("Bridge: %s", text)

    def _take_edges(self, event: Edges) -> None:
        with self._lock:
            if self._inputs is None:
                return
            edges = []
            for change in event.changes:
                if self._is_cap(change.name):
                    edges += self._cap_edges(change)
                    continue
                self._inputs[change.name] = change.value
                edges += _edges(change.name, change.value, change.t_us)
                if change.name[0] == "holder" and change.value is None:
                    _log.warning("Bridge: the load cell of %s does not answer", change.name[1])
            self._look_at_holders()
            self._tell(edges)

    def _is_cap(self, name: InputName) -> bool:
        return self.has_caps and name[0] == "tilt" and name[1] in TRAVELLING

    def _cap_edges(self, change: Change) -> list[Edge]:
        """What a cap told. One that was not heard, or knows no time, is taken at its word, and nothing is judged by
        it."""
        glass, watch = change.name[1], self._watch
        health = watch.health.get(glass)
        if health is not None and health.twins:
            return []
        assert self._inputs is not None
        self._inputs[change.name] = change.value
        if change.timed and watch.heard[glass]:
            return _edges(change.name, change.value, change.t_us)
        now_ms = max(self._alive_at_ms, change.t_us // 1000)
        return [watch.take_over(now_ms, glass, str(change.value))]

    def _take_caps(self, event: Caps) -> None:
        with self._lock:
            if self._inputs is None or not self.has_caps:
                return
            watch = self._watch
            watch.radio_answers = event.health.radio_answers
            up = {glass: str(self._inputs["tilt", glass]) for glass in TRAVELLING}
            was_heard = dict(watch.heard)
            edges = watch.take_health(event.t_us // 1000, event.health.caps, up)
            for edge in edges:
                if edge.value:
                    self._inputs["tilt", edge.name] = edge.value
                if was_heard[edge.name] != watch.heard[edge.name]:
                    _log.warning("Bridge: the cap on %s is %s", edge.name, "heard again" if edge.value else "not heard")
            if self._post is not None:
                self._tell(edges)
            if not watch.silent():
                self._all_heard.set()

    def _look_at_holders(self) -> None:
        inputs = self._inputs
        if inputs is not None and all(inputs.get(("holder", player)) is not None for player in HOLDERS):
            self._weighed.set()

    def _take_snapshot(self, event: Snapshot) -> None:
        with self._lock:
            before = self._inputs
            self._inputs = dict(event.values)
            if before is not None:
                # A receiver that was started anew has heard no cap yet: what each says comes with the caps' health.
                self._inputs |= {name: value for name, value in before.items() if self._is_cap(name)}
            # Its first sign of life may come a moment later, and everything was read just now.
            self._alive_at_ms = max(self._alive_at_ms, event.t_us // 1000 - 1)
            self.limited.clear()
            self._look_at_holders()
            if before is not None:
                changed = [(name, value) for name, value in self._inputs.items() if before.get(name) != value]
                self._tell([edge for name, value in changed for edge in _edges(name, value, event.t_us)])
        self._heard.set()
        if self.has_caps and self._rates and self._link is not None:
            self._link.command(Type.RATES, rates_body(self._rates))
        if self._frame is not None:
            self.show(self._frame)  # a board that restarted has forgotten its lamps

    def _tell(self, edges: list[Edge]) -> None:
        if not edges:
            return
        if self._post is None:
            self._early += edges
        else:
            self._pass_on(edges)

    def _pass_on(self, edges: list[Edge]) -> None:
        post = self._post
        if self.has_caps:
            self._late.push(edges)
            if post is not None:
                # Nothing is certain yet, but there is something to show.
                post(())
        elif edges and post is not None:
            post(edges)


def _other_tilts(wanted: Build, version: str, knows_caps: bool) -> str:
    flash = f"tamsk-pi firmware flash --sockets {wanted.sockets} --rings {wanted.rings}"
    if wanted.tilts == "wired":
        return (
            f'the bridge\'s firmware {version} hears caps, the game wants wired tilts (set caps = "bridge", or {flash})'
        )
    if not knows_caps:
        return f"the bridge's firmware {version} is older than caps and cannot hear them ({flash} --tilts caps)"
    return f"the bridge's firmware {version} is built without a receiver for caps ({flash} --tilts caps)"


def _known(inputs: Mapping[InputName, Value]) -> dict[tuple[str, str], EdgeValue]:
    """Without the holders whose load cells are silent or not calibrated."""
    return {name: value for name, value in inputs.items() if not (name[0] == "holder" and value is None)}


def _edges(name: InputName, value: Value, t_us: int) -> list[Edge]:
    if name[0] == "holder" and value is None:
        return []
    return [Edge(t_us // 1000, _KINDS[name[0]], name[1], value)]

"""The websocket: one `Session` a page. Everything a page says passes here, checked, limited and answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, assert_never

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tamsk_pi.clock import Clock
from tamsk_pi.rules.board import PLAYERS, Player
from tamsk_pi.signals.remarks import remark
from tamsk_pi.web.access import Pairing, WebSettings, is_local, is_loopback
from tamsk_pi.web.hands import HandsDesk, side_of
from tamsk_pi.web.hub import Hub, encode
from tamsk_pi.web.languages import language_for
from tamsk_pi.web.limits import Bucket
from tamsk_pi.web.messages import (
    PROTOCOL_VERSION,
    Act,
    Arbitrate,
    ChooseNext,
    ClientMessage,
    Hello,
    MessageError,
    MessageReader,
    Pair,
    ReleaseHands,
    Speak,
    TakeHands,
)
from tamsk_pi.web.source import ChoosesNext, GameSource

BEAT_S: Final = 1.0
"""A page that has heard nothing for three beats shows itself as stale."""
SEND_TIMEOUT_S: Final = 10.0
MESSAGES_PER_S: Final = 20
MESSAGES_AT_ONCE: Final = 60
REFUSALS: Final = 40
"""A client that has had this many messages refused, for their form or their number, is cut off."""
VIEWERS: Final = 500
VIEWERS_PER_ADDRESS: Final = 50
"""From one other machine; a room behind one router included."""

CLOSE_POLICY: Final = 1008
CLOSE_TOO_MANY: Final = 1013


class Lounge:
    """All open pages, and what they share."""

    def __init__(
        self,
        source: GameSource,
        hub: Hub,
        settings: WebSettings,
        pairing: Pairing,
        clock: Clock,
        *,
        replays: bool = False,
        sensors: bool = False,
        links: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self.source = source
        self.hub = hub
        self.settings = settings
        self.pairing = pairing
        self.clock = clock
        self.replays = replays
        """Whether games can be played again here."""
        self.sensors = sensors
        """Whether the raw inputs can be looked at here."""
        self.links = links
        """The addresses at which other devices find the page; told to pages at this machine alone."""
        self.reader = MessageReader()
        self.desk = HandsDesk(self._hands_changed)
        self._sessions: set[Session] = set()
        self._addresses: Counter[str] = Counter()

    async def serve(self, websocket: WebSocket) -> None:
        """The endpoint: serve one page until it goes."""
        address = websocket.client.host if websocket.client else ""
        crowded = self._addresses[address] >= VIEWERS_PER_ADDRESS and not is_loopback(address)
        await websocket.accept()
        if crowded or len(self._sessions) >= VIEWERS:
            await websocket.close(CLOSE_TOO_MANY, "too many pages are open")
            return
        session = Session(self, websocket)
        self._sessions.add(session)
        self._addresses[address] += 1
        try:
            await session.run()
        finally:
            self._sessions.discard(session)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            self.hub.leave(session.viewer)
            self.desk.release(session.viewer)

    def _hands_changed(self) -> None:
        for session in self._sessions:
            session.tell_who_you_are()


class Session:
    """One page: its viewer, whether it is paired, and how much it may still say."""

    def __init__(self, lounge: Lounge, websocket: WebSocket) -> None:
        self._lounge = lounge
        self._websocket = websocket
        self._local = is_local(websocket.scope)
        self._paired = not lounge.settings.needs_pairing or self._local
        self._rate = Bucket(lounge.clock, per_s=MESSAGES_PER_S, burst=MESSAGES_AT_ONCE)
        self._refused = 0
        self._cut_off: str | None = None
        asked = websocket.query_params.get("language", "")
        self.viewer = lounge.hub.join(language_for(asked, websocket.headers, lounge.settings.language))

    async def run(self) -> None:
        """Send and receive until either ends."""
        self._may_read()
        self.tell_who_you_are()
        async with anyio.create_task_group() as both:
            for half in (self._send_all, self._receive_all):
                both.start_soon(self._until_gone, half, both.cancel_scope)
        # Only now that nothing is being sent any more: a text after the close would be an error.
        if self._cut_off is not None and self._websocket.client_state is WebSocketState.CONNECTED:
            with suppress(WebSocketDisconnect):
                await self._websocket.close(CLOSE_POLICY, self._cut_off)

    async def _until_gone(self, half: Callable[[], Awaitable[None]], other: anyio.CancelScope) -> None:
        # The page may have gone, or read nothing any more: then there is nobody left to tell.
        with suppress(WebSocketDisconnect, TimeoutError):
            await half()
        other.cancel()

    async def _send_all(self) -> None:
        beat_at_s = anyio.current_time()
        while not self.viewer.overrun:
            if anyio.current_time() >= beat_at_s:
                beat_at_s = anyio.current_time() + BEAT_S
                await self._send(encode(self._beat()))
            for text in await self.viewer.next_texts(max(0.0, beat_at_s - anyio.current_time())):
                await self._send(text)
        self._cut_off = "answers are not read"

    async def _send(self, text: str) -> None:
        with anyio.fail_after(SEND_TIMEOUT_S):
            await self._websocket.send_text(text)

    async def _receive_all(self) -> None:
        while self._refused < REFUSALS:
            event = await self._websocket.receive()
            if event["type"] == "websocket.disconnect":
                return
            text = event.get("text")
            if not self._rate.take():
                self._refuse("too many messages; slow down")
            elif text is None:
                self._refuse("a message is text, not bytes")
            else:
                try:
                    message = self._lounge.reader.read(text)
                except MessageError as error:
                    self._refuse(str(error))
                else:
                    self._handle(message)
        self._cut_off = "too many messages were refused"

    def _refuse(self, reason: str) -> None:
        self._refused += 1
        self.viewer.tell({"type": "refused", "reason": self._said(reason)})

    def _said(self, reason: str) -> str:
        return remark(reason, self.viewer.language)

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case Hello():
                self._greet(message)
            case Speak():
                self.viewer.speak(message.language)
            case Pair():
                self._pair(message)
            case TakeHands():
                self._take_hands(message)
            case ReleaseHands():
                self._lounge.desk.release(self.viewer)
            case Act():
                self._act(message)
            case Arbitrate():
                self._arbitrate(message)
            case ChooseNext():
                self._choose_next(message)
            case _:
                assert_never(message)

    def _greet(self, hello: Hello) -> None:
        if hello.version != PROTOCOL_VERSION:
            self._refuse(f"this server speaks version {PROTOCOL_VERSION} of the protocol; load the page anew")
        elif self._lounge.pairing.knows(hello.token):
            self._now_paired()

    def _pair(self, pair: Pair) -> None:
        token, reason = self._lounge.pairing.pair(pair.code)
        self.viewer.tell({"type": "paired", "token": token, "reason": self._said(reason)})
        if token is not None:
            self._now_paired()

    def _now_paired(self) -> None:
        self._paired = True
        self._may_read()
        self.tell_who_you_are()

    def _may_read(self) -> None:
        self.viewer.reads = self._paired or self._lounge.settings.open_reading

    def _take_hands(self, message: TakeHands) -> None:
        if self._lounge.source.hands is None:
            self._refuse("there are no hands to take: the board is a real one")
        elif not self._paired:
            self._refuse("type the code shown on the box first")
        else:
            self._lounge.desk.take(self.viewer, message.name, message.seat)

    def _act(self, act: Act) -> None:
        hands = self._lounge.source.hands
        answer = self._answer(act.id)
        if hands is None:
            answer("the board is a real one; move its glasses by hand")
        elif not self._paired:
            answer("type the code shown on the box first")
        elif (refusal := self._lounge.desk.refusal(self.viewer, side_of(act.action))) is not None:
            answer(refusal)
        else:
            hands.do(act.action, answer)

    def _arbitrate(self, message: Arbitrate) -> None:
        arbiter = self._lounge.source.arbiter
        answer = self._answer(message.id)
        if arbiter is None or message.action.verb not in arbiter.offers():
            answer(f"{message.action.verb} is not offered here")
        elif not self._paired:
            answer("type the code shown on the box first")
        else:
            arbiter.do(message.action, answer)

    def _choose_next(self, message: ChooseNext) -> None:
        source, answer = self._lounge.source, self._answer(message.id)
        if not isinstance(source.arbiter, ChoosesNext):
            answer("choose_next is not offered here")
        elif not self._paired:
            answer("type the code shown on the box first")
        elif source.hands is not None and (refusal := self._lounge.desk.refusal(self.viewer)) is not None:
            answer(refusal)
        else:
            source.arbiter.choose(message.action, answer)

    def _answer(self, request: int) -> Callable[[str | None], None]:
        def answer(reason: str | None) -> None:
            said = None if reason is None else self._said(reason)
            message = {"type": "answer", "id": request, "ok": reason is None, "reason": said}
            self._lounge.hub.in_loop(self.viewer.tell, message)

        return answer

    def tell_who_you_are(self) -> None:
        """Tell the page whose the hands are, whether it is paired, and what it may ask for."""
        lounge, desk = self._lounge, self._lounge.desk
        seats = {side: self._seat(side) for side in PLAYERS}
        self.viewer.tell(
            {
                "type": "you",
                "hands": "none" if lounge.source.hands is None else _best(seats.values()),
                "seats": seats,
                "holder": next((name for side in PLAYERS if (name := desk.name(side))), ""),
                "holders": {side: desk.name(side) for side in PLAYERS},
                "paired": self._paired,
                "code": lounge.pairing.code if lounge.settings.needs_pairing and self._local else None,
                "replays": lounge.replays,
                "sensors": lounge.sensors,
                "links": list(lounge.links()) if self._local else [],
                "arbiter": () if lounge.source.arbiter is None else lounge.source.arbiter.offers(),
            }
        )

    def _seat(self, side: Player) -> str:
        holder = self._lounge.desk.holder(side)
        return "free" if holder is None else "yours" if holder is self.viewer else "theirs"

    def _beat(self) -> dict[str, Any]:
        source = self._lounge.source
        return {
            "type": "beat",
            "now_ms": source.now_ms(),
            "alive": source.alive(),
            "viewers": len(self._lounge.hub.viewers),
        }


def _best(seats: Iterable[str]) -> str:
    """What a page may do with the hands: what it may with the side that it may do most with."""
    found = set(seats)
    return next(seat for seat in ("yours", "free", "theirs") if seat in found)

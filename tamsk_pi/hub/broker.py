"""The hub's end of the broker: what boards publish comes in, what they are told goes out.

Lines come by a shared subscription, so that several hubs on one database divide them; everything that only informs
goes to each of them. Nothing is lost with a message that is: boards send again what was not acknowledged.
"""

from __future__ import annotations

import logging
import ssl
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from tamsk_pi.club.topics import KINDS, ROOT, Topic, read_topic

_log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 5
"""A hub that hangs is known as gone after one and a half times this; another then gets its share of the lines."""
RECEIVE_MOST: Final = 1_000
GROUP: Final = "hubs"


@attrs.frozen(kw_only=True)
class BrokerSettings:
    """Where the broker is and who the hub is there."""

    host: str = "127.0.0.1"
    port: int = 1883
    user: str = ""
    password_file: str = ""
    ca_file: str = ""


class BrokerError(Exception):
    """The settings of the broker cannot be used."""


Hear = Callable[[Topic, bytes, bool], None]
"""Called in the network's thread with a topic, its payload, and whether it was retained; must return at once."""


class Broker:
    """A connection that is made again for ever."""

    def __init__(
        self,
        settings: BrokerSettings,
        hear: Hear,
        changed: Callable[[], None] = lambda: None,
        *,
        takes_lines: bool = True,
    ) -> None:
        """`changed` is called when the connection comes or goes. Without `takes_lines` it has no share in the lines."""
        self._settings: Final = settings
        self._hear: Final = hear
        self._changed: Final = changed
        self._takes_lines: Final = takes_lines
        self.problem: str | None = "the broker has not answered yet"
        """Why nothing comes in, in one line; None while connected."""
        self._client: Final = Client(
            CallbackAPIVersion.VERSION2, client_id=f"hub-{uuid.uuid4().hex[:16]}", protocol=MQTTProtocolVersion.MQTTv5
        )
        client = self._client
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        client.reconnect_delay_set(1, 5)
        client.max_inflight_messages_set(RECEIVE_MOST)
        client.max_queued_messages_set(20_000)
        try:
            if settings.user:
                path = Path(settings.password_file).expanduser()
                client.username_pw_set(
                    settings.user, path.read_text("utf-8").strip() if settings.password_file else None
                )
            if settings.ca_file:
                client.tls_set(ca_certs=str(Path(settings.ca_file).expanduser()), tls_version=ssl.PROTOCOL_TLS_CLIENT)
        except (OSError, ValueError) as error:
            raise BrokerError(f"{settings.password_file or settings.ca_file}: {error}") from None

    def open(self) -> None:
        """Connect, and again whenever that is lost, in a thread of its own."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = RECEIVE_MOST
        self._client.connect_async(
            self._settings.host, self._settings.port, KEEPALIVE_S, clean_start=True, properties=properties
        )
        self._client.loop_start()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, text: str | bytes, *, qos: int = 1) -> None:
        """Send to a board. While there is no connection it goes nowhere: who waits for it asks again."""
        if self._client.is_connected():
            self._client.publish(topic, text, qos=qos)

    def _on_connect(
        self, client: Client, _: Any, flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self.problem = f"the broker refuses the hub: {reason}"
        else:
            every = f"{ROOT}/+/+"
            own = SubscribeOptions(qos=1, noLocal=True)
            shared = SubscribeOptions(qos=1)
            topics = [(f"{every}/{what}", own) for what in ("state", "answer/#", "kept/#")]
            if self._takes_lines:
                topics += [(f"$share/{GROUP}/{every}/{kind}/#", shared) for kind in KINDS]
            client.subscribe(topics)
        self._changed()

    def _on_subscribe(
        self, client: Client, _: Any, mid: int, reasons: list[ReasonCode], properties: Properties | None
    ) -> None:
        refused = next((reason for reason in reasons if reason.is_failure), None)
        self.problem = None if refused is None else f"the broker lets the hub hear nothing: {refused}"
        self._changed()

    def _on_connect_fail(self, client: Client, _: Any) -> None:
        self.problem = f"the broker {self._settings.host}:{self._settings.port} cannot be reached"
        self._changed()

    def _on_disconnect(
        self, client: Client, _: Any, flags: DisconnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if self.problem is None:
            self.problem = f"the connection to the broker was lost: {reason}"
        self._changed()

    def _on_message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        topic = read_topic(message.topic)
        if topic is None:
            _log.warning("a message on the odd topic %.200s", message.topic)
            return
        self._hear(topic, bytes(message.payload), message.retain)

"""The hub that is measured: `python -m tests.bench.club_hub DATABASE PORT` prints its page's port and serves."""

from __future__ import annotations

import signal
import sys

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.hub.app import build_hub_app
from tamsk_pi.hub.arbiters import Arbiters
from tamsk_pi.hub.broker import BrokerSettings
from tamsk_pi.hub.database import open_database
from tamsk_pi.hub.service import Hub, take_short_turns
from tamsk_pi.web.access import WebSettings
from tamsk_pi.web.server import PageServer

if __name__ == "__main__":
    clock, settings = MonotonicClock(), WebSettings(port=0)
    engine = open_database(sys.argv[1])
    hub = Hub(engine, BrokerSettings(port=int(sys.argv[2])))
    page = PageServer(build_hub_app(hub, Arbiters(engine, clock), settings, clock), settings)
    take_short_turns()
    hub.open()
    page.open()
    print(page.url.rstrip("/").rpartition(":")[2], flush=True)
    signal.pause()

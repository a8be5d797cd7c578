"""A hub as a process that tests kill: `python -m tests.club.hub_process DATABASE PORT`."""

from __future__ import annotations

import signal
import sys

from tamsk_pi.hub.broker import BrokerSettings
from tamsk_pi.hub.database import open_database
from tamsk_pi.hub.service import Hub

if __name__ == "__main__":
    hub = Hub(open_database(sys.argv[1]), BrokerSettings(port=int(sys.argv[2])))
    hub.open()
    signal.pause()

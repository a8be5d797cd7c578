"""A real Mosquitto on loopback, and a real PostgreSQL, for the tests; each is ended with its test."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.tiers import lacking

START_S: Final = 30.0
POSTGRES: Final = "/usr/lib/postgresql"


def free_port() -> int:
    """A TCP port of loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until something answers there; fail where the process has ended."""
    until_s = time.monotonic() + START_S
    while time.monotonic() < until_s:
        assert process.poll() is None, "it ended at once"
        try:
            with socket.create_connection(("127.0.0.1", port), 1):
                return
        except OSError:
            time.sleep(0.02)
    raise AssertionError(f"nothing answers on port {port}")


class Mosquitto:
    """A broker that can be killed and started again on the same port."""

    def __init__(self, folder: Path, lines: tuple[str, ...] = (), *, config: Path | None = None) -> None:
        self.program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
        if self.program is None:
            lacking("mosquitto is not there; apt-get install mosquitto")
        self.port = free_port()
        self.config = config
        if config is None:
            self.config = folder / "broker.conf"
            wanted = (f"user {getpass.getuser()}", f"listener {self.port} 127.0.0.1", "allow_anonymous true", *lines)
            self.config.write_text("\n".join(wanted) + "\n")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assert self.program is not None
        self.process = subprocess.Popen(
            [self.program, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for_port(self.port, self.process)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self, frozen: bool) -> None:
        """Let it hang, or go on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)


@contextmanager
def mosquitto(folder: Path, *lines: str) -> Iterator[Mosquitto]:
    """A broker that takes anybody."""
    broker = Mosquitto(folder, lines)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


@contextmanager
def postgresql() -> Iterator[str]:
    """The address of a database of its own."""
    programs = sorted(Path(POSTGRES).glob("*/bin/postgres")) if Path(POSTGRES).is_dir() else []
    if not programs:
        lacking("PostgreSQL is not there; apt-get install postgresql")
    try:
        import psycopg  # noqa: F401
    except ImportError:
        lacking("psycopg is not there; pip install 'tamsk-pi[postgresql]'")
    where = programs[-1].parent
    # Not in pytest's folder: PostgreSQL refuses to run as root, and its user cannot read there.
    with tempfile.TemporaryDirectory(prefix="tamsk-pg-") as name:
        folder = Path(name)
        as_user: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
            as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        port = free_port()
        data = folder / "data"
        made = [*as_user, str(where / "initdb"), "-D", str(data), "-U", "hub", "--auth=trust", "--no-sync"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        run = [*as_user, str(where / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder), "-F"]
        run += ["-c", "listen_addresses=127.0.0.1"]
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
        try:
            wait_for_port(port, process)
            _wait_until_it_takes_words(port)
            yield f"postgresql+psycopg://hub@127.0.0.1:{port}/postgres"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def _wait_until_it_takes_words(port: int) -> None:
    import psycopg

    until_s = time.monotonic() + START_S
    while True:
        try:
            psycopg.connect(f"host=127.0.0.1 port={port} user=hub dbname=postgres", connect_timeout=5).close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.1)

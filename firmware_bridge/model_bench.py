"""The model of the firmware on the bench of `firmware_bridge.bench`: stepped, or live behind a pty."""

from __future__ import annotations

import contextlib
import os
import select
import tempfile
import threading
import time
import tty
from pathlib import Path
from typing import Final

from firmware_bridge.bench import BenchError, Outputs, Sent
from firmware_bridge.inputs import NUMBERS, Build, InputName, Value
from firmware_bridge.model import FirmwareModel

_SLICE_S: Final = 0.001
_SLIP_S: Final = 0.25
_FETCH_BYTES: Final = 4096


class ModelBench:
    """A `FirmwareBench` with the Python model. `speed` None: stepped; else live at that multiple of the wall clock."""

    def __init__(
        self, build: Build, baud: int = 115_200, speed: float | None = None, reset_on_open: bool = False
    ) -> None:
        self.build = build
        self.outputs = Outputs()
        self._model = FirmwareModel(build, self.outputs, baud)
        self._speed = speed
        self._reset_on_open = reset_on_open
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._port: Path | None = None
        self._master = -1

    def __enter__(self) -> ModelBench:
        if self._speed is not None:
            folder = tempfile.TemporaryDirectory(prefix="bridge-model-")
            self._master, slave = os.openpty()
            tty.setraw(slave)
            self._port = Path(folder.name) / "ttyBRIDGE"
            self._port.symlink_to(os.ttyname(slave))
            os.close(slave)
            os.set_blocking(self._master, False)
            self._thread = threading.Thread(
                target=self._live, args=(self._speed, folder), name="bridge-model", daemon=True
            )
            self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            os.close(self._master)

    @property
    def port(self) -> Path:
        if self._port is None:
            raise BenchError("a stepped bench has no port, and a live one only while it runs")
        return self._port

    @property
    def now_us(self) -> int:
        """Simulated time reached."""
        return self._model.now_us

    def set(self, name: InputName, value: Value, at_us: int | None = None) -> None:
        number = NUMBERS[name]
        raw = self.build.raw(number, value)
        with self._lock:
            self._model.change(number, raw, self._model.now_us if at_us is None else at_us)

    def set_load(self, holder: str, raw: int | None, at_us: int | None = None) -> None:
        with self._lock:
            self._model.load(NUMBERS["holder", holder], raw, self._model.now_us if at_us is None else at_us)

    def set_cell(self, glass: str, millivolts: int | None, at_us: int | None = None) -> None:
        with self._lock:
            self._model.cell(NUMBERS["tilt", glass], millivolts, self._model.now_us if at_us is None else at_us)

    def write(self, data: bytes) -> None:
        self._model.host_sends(data)

    def run_to(self, t_us: int) -> list[Sent]:
        return self._model.run_to(t_us)

    def reset(self) -> None:
        with self._lock:
            self._model.reset()

    def poll(self) -> None:
        """Nothing to do: outputs are noted as they change."""

    def _live(self, speed: float, folder: tempfile.TemporaryDirectory[str]) -> None:
        began_s, began_us = time.monotonic(), self._model.now_us
        was_open = False
        with folder:
            while not self._ending.wait(_SLICE_S):
                is_open = self._is_open()
                with self._lock:
                    if is_open and not was_open and self._reset_on_open:
                        self._model.reset()
                    was_open = is_open
                    due_us = began_us + round((time.monotonic() - began_s) * speed * 1e6)
                    if due_us - self._model.now_us > _SLIP_S * speed * 1e6:
                        began_s, began_us = time.monotonic(), self._model.now_us
                        due_us = began_us
                    if is_open:
                        with contextlib.suppress(BlockingIOError):
                            self._model.host_sends(os.read(self._master, _FETCH_BYTES))
                    sent = b"".join(part.data for part in self._model.run_to(due_us))
                if sent and is_open:
                    with contextlib.suppress(BlockingIOError):
                        os.write(self._master, sent)  # what does not fit is lost, as on a line nobody reads

    def _is_open(self) -> bool:
        poll = select.poll()
        poll.register(self._master, 0)
        return not any(event & select.POLLHUP for _, event in poll.poll(0))

"""The real firmware in simavr, on the bench of `firmware_bridge.bench`.

The harness beside this file runs the firmware cycle by cycle; this class starts it, speaks its lines and keeps what it
tells of the outputs.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_bridge.bench import BenchError, Output, Outputs, Sent, plane_sockets
from firmware_bridge.build import build_cap, build_firmware, build_harness
from firmware_bridge.inputs import NUMBERS, TRAVELLING, Build, InputName, Value
from firmware_bridge.line import BAUD
from firmware_bridge.simavr.air import Air, Aired, CapRan, Packet

_START_S: Final = 10.0
_STEP_S: Final = 120.0
_END_S: Final = 5.0


class SimavrBench:
    """A `FirmwareBench` with the real firmware. Raises `BuildError` where tools are missing, `BenchError` when the
    harness dies.

    `speed` None: stepped; else live, at that multiple of the wall clock. `reset_on_open` resets the board when its
    port is opened, as a Mega's DTR line does.
    """

    def __init__(
        self,
        build: Build,
        baud: int = BAUD,
        speed: float | None = None,
        reset_on_open: bool = False,
        air: Air | None = None,
    ) -> None:
        self.build = build
        self.outputs = Outputs()
        self._live = speed is not None
        self._firmware = build_firmware(build, baud)
        self._harness = build_harness(build)
        self._arguments = [str(self._harness), str(self._firmware.elf)]
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._port: Path | None = None
        if speed is not None:
            self._arguments += ["--real", str(speed)]
        if reset_on_open:
            self._arguments += ["--reset-on-open"]
        self.packets: list[Packet] = []
        """With caps: what their receiver has heard, in order."""
        self._aired: Aired | None = None
        self._ran: dict[int, CapRan] = {}
        self._build_air = (air or Air()) if build.tilts == "caps" else None
        self._caps = 0
        if self._build_air is not None:
            self._arguments += self._build_air.arguments(build_cap().elf)
            self._caps = len(self._build_air.glasses)
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""
        self._commands: list[str] = []
        self._sent: list[Sent] = []
        self._now_us = 0
        self._ready = False
        self._errors: list[str] = []
        self._lock = threading.Lock()
        self.slips_ms: list[int] = []
        """Live: by how much simulated time fell behind, each time it gave up catching up."""

    @property
    def port(self) -> Path:
        if self._port is None:
            raise BenchError("a stepped bench has no port, and a live one only while it runs")
        return self._port

    @property
    def now_us(self) -> int:
        """Simulated time reached by the last step."""
        return self._now_us

    def __enter__(self) -> SimavrBench:
        arguments = list(self._arguments)
        if self._live:
            self._folder = tempfile.TemporaryDirectory(prefix="bridge-bench-")
            self._port = Path(self._folder.name) / "ttyBRIDGE"
            arguments += ["--pty", str(self._port)]
        # In a session of its own: a Ctrl-C meant for the program must not end the board under it.
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        try:
            self._read_until(lambda: self._ready, _START_S)
            if self._build_air is not None:
                for line in self._build_air.lines():
                    self._command(line)
        except BenchError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *details: object) -> None:
        process = self._process
        if process is not None:
            self._process = None
            with contextlib.suppress(BrokenPipeError):
                process.communicate(b"QUIT\n", timeout=_END_S)
            if process.poll() is None:
                process.kill()
                process.communicate()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = self._port = None

    def set(self, name: InputName, value: Value, at_us: int | None = None) -> None:
        number = NUMBERS[name]
        raw = self.build.raw(number, value)
        self._command(f"IN {_when(at_us)} {number} {raw}")

    def set_millivolts(self, name: InputName, millivolts: int, at_us: int | None = None) -> None:
        """What a hall sensor or a ring ladder puts out, 0 to 5000."""
        self._command(f"MV {_when(at_us)} {NUMBERS[name]} {millivolts}")

    def set_load(self, holder: str, raw: int | None, at_us: int | None = None) -> None:
        """A load cell's raw reading; None: it stops answering."""
        number = NUMBERS["holder", holder] - NUMBERS["holder", "red"]
        self._command(f"LOAD {_when(at_us)} {number} {'-' if raw is None else raw}")

    def set_cell(self, glass: str, millivolts: int | None, at_us: int | None = None) -> None:
        self._command(f"CELL {_when(at_us)} {TRAVELLING.index(glass)} {millivolts or 0}")

    def set_ends(self, cap: int, ends: str, at_us: int | None = None) -> None:
        """The switches of a cap themselves: which are closed, `""`, `"a"`, `"b"`, `"ab"`."""
        self._command(f"ENDS {_when(at_us)} {cap} {('a' in ends) + 2 * ('b' in ends)}")

    def set_air(self, what: str, share: float, at_us: int | None = None) -> None:
        """`loss`, `echo` or `jam`, as a share."""
        self._command(f"AIR {_when(at_us)} {what} {round(1000 * share)}")

    def aired(self) -> tuple[Aired, list[CapRan]]:
        """What has happened on the air and in the caps so far (stepped only)."""
        self._aired = None
        self._command("AIRED")
        self._command(f"RUN {self._now_us}")
        self._flush()
        self._read_until(lambda: self._aired is not None and len(self._ran) == self._caps, _STEP_S)
        assert self._aired is not None
        return self._aired, [self._ran[n] for n in sorted(self._ran)]

    def write(self, data: bytes) -> None:
        if data:
            self._command(f"HOST {data.hex()}")

    def run_to(self, t_us: int) -> list[Sent]:
        self._command(f"RUN {t_us}")
        self._flush()
        self._read_until(lambda: self._now_us >= t_us, _STEP_S)
        if self._errors:
            raise BenchError(f"the bench did not understand: {self._errors[0]}")
        sent, self._sent = self._sent, []
        return sent

    def reset(self) -> None:
        self._command("RESET")
        self._flush()

    def poll(self) -> None:
        """Take in outputs that changed since (live only)."""
        self._read(0.0)

    def _command(self, line: str) -> None:
        with self._lock:
            self._commands.append(line)
        if self._live:
            self._flush()

    def _flush(self) -> None:
        process = self._alive()
        with self._lock:
            text = "".join(f"{line}\n" for line in self._commands).encode()
            self._commands.clear()
            self._write_all(process, memoryview(text))

    def _write_all(self, process: subprocess.Popen[bytes], text: memoryview) -> None:
        assert process.stdin is not None
        try:
            while text:
                text = text[os.write(process.stdin.fileno(), text[:32_768]) :]
        except BrokenPipeError:
            raise self._death() from None

    def _alive(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise BenchError("the bench is not running")
        return self._process

    def _death(self) -> BenchError:
        process = self._alive()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_END_S)
        said = b""
        if process.stderr is not None and process.poll() is not None:
            said = process.stderr.read()
        text = said.decode(errors="replace").strip().splitlines()
        return BenchError(f"the bench ended with status {process.poll()}: {text[-1] if text else 'no reason given'}")

    def _read_until(self, done: Callable[[], bool], timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not done():
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                raise BenchError(f"the bench did not answer within {timeout_s:.0f} s")
            self._read(left_s)

    def _read(self, timeout_s: float) -> None:
        process = self._alive()
        assert process.stdout is not None
        fd = process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(fd, selectors.EVENT_READ)
            if not selector.select(timeout_s):
                return
        data = os.read(fd, 1 << 16)
        if not data:
            raise self._death()
        *lines, self._pending = (self._pending + data).split(b"\n")
        for line in lines:
            self._take(line.decode("ascii").split())

    def _take(self, words: list[str]) -> None:
        match words:
            case ["READY"]:
                self._ready = True
            case ["TX", t_us, data]:
                self._sent.append(Sent(int(t_us), bytes.fromhex(data)))
            case ["RAN", t_us]:
                self._now_us = int(t_us)
            case ["LAMP", t_us, name, on]:
                self.outputs.take(Output(int(t_us), "lamp", name, int(on)))
            case ["PLANE", t_us, plane, digit, bits]:
                self._take_plane(int(t_us), plane, int(digit), int(bits))
            case ["PACKET", t_us, pipe, data]:
                self.packets.append(Packet(int(t_us), int(pipe), bytes.fromhex(data)))
            case ["AIR", *figures]:
                self._aired = Aired(*map(int, figures))
            case ["CAP", number, *figures]:
                self._ran[int(number)] = CapRan(*map(int, figures))
            case ["TONE", t_us, hz]:
                self.outputs.take(Output(int(t_us), "tone", "", int(hz)))
            case ["RESET", t_us, cause]:
                self.outputs.take(Output(int(t_us), "reset", "", int(cause)))
            case ["SLIP", _, ms]:
                self.slips_ms.append(int(ms))
            case ["ERROR", *rest]:
                self._errors.append(" ".join(rest))

    def _take_plane(self, t_us: int, plane: str, digit: int, bits: int) -> None:
        lit = self.outputs.red if plane == "red" else self.outputs.green
        for socket, on in plane_sockets(digit, bits).items():
            if on != (socket in lit):
                self.outputs.take(Output(t_us, plane, socket, int(on)))


def _when(at_us: int | None) -> str:
    return "-" if at_us is None else str(at_us)

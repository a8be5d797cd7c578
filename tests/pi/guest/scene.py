"""Inside the guest, as root: a game on wires, from the outside. Plain asserts; the first that fails ends it.

`first` plays, is killed and goes on until its power is cut; `again` is what comes after.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.pi.guest.header import CLOSED, OUTPUTS, Header

LONGEST_S = 60
"""How long nothing at all may change; while anything does, it is waited for."""
LOG = Path("/run/play.log")
GAMES = Path(os.environ["XDG_DATA_HOME"]) / "tamsk-pi/games"
START = frozenset({"A1", "D1", "G1", "A4", "G4", "D7"})
RED_MOVED = START - {"D1"} | {"D2"}
BLACK_WRONG = RED_MOVED - {"D7"} | {"D4"}
BLACK_MOVED = RED_MOVED - {"D7"} | {"D6"}
RING = "A5"
"""Red's ring button."""
ARBITERS_BUTTON = "C7"


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def put(crossings: frozenset[str]) -> None:
    new = CLOSED.with_suffix(".new")
    new.write_text(" ".join(sorted(crossings)), encoding="utf-8")
    new.rename(CLOSED)


def press_the_arbiters_button(standing: frozenset[str]) -> None:
    """Shortly: long enough to settle, and far from the 0.8 s that would be long."""
    put(standing | {ARBITERS_BUTTON})
    time.sleep(0.2)
    put(standing)


def log() -> str:
    return LOG.read_text(encoding="utf-8") if LOG.exists() else ""


def until(is_so: Callable[[], bool], wanted: str) -> None:
    """Look until it is so; given up where nothing that is told changes any more."""
    before, since_s = log(), time.monotonic()
    while not is_so():
        if (now := log()) != before:
            before, since_s = now, time.monotonic()
        assert time.monotonic() - since_s < LONGEST_S, f"wanted {wanted}; was told:\n{log()}"


def said(words: str) -> None:
    until(lambda: words in log(), repr(words))


def play(*words: str) -> subprocess.Popen[bytes]:
    LOG.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "tests.pi.guest.wired",
        "play",
        "--board",
        "matrix",
        "--level",
        "1",
        "--wait",
        *words,
    ]
    with LOG.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)


def step(name: str, test: Callable[[], None]) -> None:
    """One answer of its own on the console, as check.sh gives it."""
    tell(f"ASKED {name}")
    try:
        test()
    except BaseException:
        tell(f"TOLD {log()}")
        tell(f"GUEST {name} rc=1")
        raise
    tell(f"GUEST {name} rc=0")


class First:
    """The game until its power is cut."""

    def __init__(self) -> None:
        self.header = Header()
        put(START - {"D7"})
        self.process = play()

    def set_up(self) -> None:
        """A glass is missing: said with its socket, and no game is ready."""
        said("Put a glass on D7.")
        assert "ready" not in self.header.high()
        put(START)
        time.sleep(1)
        press_the_arbiters_button(START)
        until(lambda: "ready" in self.header.high(), "`ready`")

    def move(self) -> None:
        put(START - {"D1"})
        time.sleep(0.5)
        put(RED_MOVED)
        said("from D1 to D2.")

    def ring(self) -> None:
        put(RED_MOVED | {RING})
        time.sleep(0.2)
        put(RED_MOVED)
        said("Red drops a ring on D2. 1 ring")

    def violation(self) -> None:
        """Black has moved three sockets far: told, and shown by lamp and buzzer on the header."""
        put(RED_MOVED - {"D7"})
        time.sleep(0.5)
        put(BLACK_WRONG)
        seen: set[str] = set()

        def both() -> bool:
            seen.update(self.header.high())
            return {"alarm", "buzzer"} <= seen

        until(both, "alarm and buzzer")
        said("was placed on D4, which does not touch D7")

    def kill(self) -> None:
        """While lamps are lit: they stay so, as the kernel leaves its outputs, until `off` has been."""
        until(self._stands_still_with_a_lit_alarm, "a lit alarm")
        lit = self.header.high()
        self.process.kill()
        self.process.wait()
        assert self.header.high() == lit
        assert all(self.header.is_output(OUTPUTS[name]) for name in lit)

    def _stands_still_with_a_lit_alarm(self) -> bool:
        """Stopped in the midst of the blinking, so that no more than the kill lies between two looks."""
        if "alarm" not in self.header.high():
            return False
        self.process.send_signal(signal.SIGSTOP)
        while "T (stopped)" not in Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8"):
            time.sleep(0.01)
        if "alarm" in self.header.high():
            return True
        self.process.send_signal(signal.SIGCONT)
        return False

    def off(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "tamsk_pi", "off", "--board", "matrix"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert not self.header.high()

    def goes_on(self) -> None:
        """From where it was cut off: the wrong move still stands, and is put right."""
        self.process = play("--resume")
        said("Going on with")
        said("The game goes on.")
        until(lambda: "ready" in self.header.high(), "`ready`")
        put(BLACK_WRONG - {"D4"})
        time.sleep(0.5)
        put(BLACK_MOVED)
        said("from D7 to D6.")


def again() -> None:
    """After the power cut: what was kept is whole up to the last move, and is offered."""
    (game,) = GAMES.glob("*.jsonl")
    kept = [json.loads(line) for line in game.read_text(encoding="utf-8").splitlines()]
    tell(f"KEPT {len(kept)} lines, last {kept[-1]}")
    put(BLACK_MOVED)
    process = play()
    said("cut off")
    tell(log())
    process.kill()
    process.wait()


def main() -> None:
    if sys.argv[1] == "again":
        step("offered", again)
        return
    first = First()
    for name in ("set_up", "move", "ring", "violation", "kill", "off", "goes_on"):
        step(name, getattr(first, name))
    tell("CUT THE POWER")
    time.sleep(3600)


if __name__ == "__main__":
    main()

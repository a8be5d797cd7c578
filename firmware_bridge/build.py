"""Building: the firmware with avr-gcc, the simulated bench with gcc and simavr, the core's own checks with gcc."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import attrs

from firmware_bridge.inputs import RING_SENSORS, TRAVELLING, Build
from firmware_bridge.line import BAUD, BAUDS

_HERE: Final = Path(__file__).parent
AVR: Final = _HERE / "avr"
CAP: Final = AVR / "cap"
SIMAVR: Final = _HERE / "simavr"
SIMAVR_HEADERS: Final = Path("/usr/include/simavr")
FLASH_BYTES: Final = 256 * 1024 - 8 * 1024
"""What a Mega offers beside its boot loader."""
RAM_BYTES: Final = 8 * 1024

_AVR_FLAGS: Final = (
    "-mmcu=atmega2560", "-DF_CPU=16000000UL", "-O3", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-flto",
    "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
)  # fmt: skip
_CAP_FLAGS: Final = (
    "-mmcu=attiny84", "-DF_CPU=4000000UL", "-Os", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-flto",
    "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
)  # fmt: skip
CAP_FLASH_BYTES: Final = 8 * 1024
CAP_RAM_BYTES: Final = 512
_HOST_FLAGS: Final = ("-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror")


class BuildError(Exception):
    """Something is missing or does not compile; the text is one line for the user, with the remedy."""


@attrs.frozen
class Firmware:
    """A firmware that was built."""

    build: Build
    baud: int
    elf: Path
    hex: Path
    flash_bytes: int
    ram_bytes: int

    def size_line(self) -> str:
        """How much of a Mega it takes, in words."""
        return (
            f"{self.build.name} at {self.baud} baud: flash {self.flash_bytes} of {FLASH_BYTES} bytes "
            f"({100 * self.flash_bytes / FLASH_BYTES:.1f} %), RAM {self.ram_bytes} of {RAM_BYTES} bytes "
            f"({100 * self.ram_bytes / RAM_BYTES:.1f} %)"
        )


def missing_for_firmware() -> str | None:
    """Why the firmware cannot be built here, or None."""
    if shutil.which("avr-gcc") is None:
        return "avr-gcc is not installed (Debian: apt-get install gcc-avr avr-libc)"
    return None


def missing_for_simavr() -> str | None:
    """Why the firmware cannot be run here, or None."""
    if shutil.which("gcc") is None:
        return "gcc is not installed (Debian: apt-get install gcc libc6-dev)"
    if not (SIMAVR_HEADERS / "sim_avr.h").exists():
        return "simavr is not installed (Debian: apt-get install libsimavr-dev)"
    return missing_for_firmware()


def cache_folder() -> Path:
    """Where builds are kept: by the XDG rules, `~/.cache/tamsk-pi/firmware`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tamsk-pi" / "firmware"


def firmware_version() -> str:
    """The version of the firmware in this package, from its source."""
    return ".".join(_define(f"FIRMWARE_{part}") for part in ("MAJOR", "MINOR", "PATCH"))


def protocol_version() -> str:
    """The version of the protocol in the firmware's source."""
    return ".".join(_define(f"PROTOCOL_{part}") for part in ("MAJOR", "MINOR"))


def _define(name: str) -> str:
    text = (AVR / "src" / "version.h").read_text(encoding="ascii")
    match = re.search(rf"^#define {name} (\d+)$", text, re.MULTILINE)
    if match is None:
        raise BuildError(f"{AVR / 'src' / 'version.h'} does not define {name}")
    return match[1]


def _options(build: Build) -> list[str]:
    return [
        f"-DSOCKETS_HALL={int(build.sockets == 'hall')}",
        f"-DRINGS={RING_SENSORS.index(build.rings)}",
        f"-DTILTS_CAPS={int(build.tilts == 'caps')}",
    ]


def build_firmware(build: Build, baud: int = BAUD, folder: Path | None = None) -> Firmware:
    """Compile the firmware for a build, unless that very source is compiled already.

    `folder` gets the `.elf` and `.hex`; default is the cache. Raises `BuildError`.
    """
    if baud not in BAUDS:
        raise BuildError(f"{baud} baud is not offered: {', '.join(map(str, BAUDS))} are")
    missing = missing_for_firmware()
    if missing:
        raise BuildError(missing)
    sources = _sources(AVR / "src", AVR / "mega")
    flags = [*_AVR_FLAGS, *_options(build), f"-DBAUD={baud}UL", f"-I{AVR / 'src'}", f"-I{AVR / 'mega'}"]
    elf = _compile("avr-gcc", flags, sources, [], f"bridge-{build.name}-{baud}", ".elf", folder)
    hex_file = elf.with_suffix(".hex")
    if not hex_file.exists():
        _run(["avr-objcopy", "-O", "ihex", "-R", ".eeprom", str(elf), str(hex_file)])
    text, data, bss = (int(size) for size in _run(["avr-size", str(elf)]).splitlines()[1].split()[:3])
    return Firmware(build, baud, elf, hex_file, text + data, data + bss)


@attrs.frozen
class CapFirmware:
    """A cap's firmware that was built: the same for every glass, which is written beside it into the cap's EEPROM."""

    elf: Path
    hex: Path
    flash_bytes: int
    ram_bytes: int

    def size_line(self) -> str:
        """How much of an ATtiny84A it takes, in words."""
        return (
            f"cap: flash {self.flash_bytes} of {CAP_FLASH_BYTES} bytes "
            f"({100 * self.flash_bytes / CAP_FLASH_BYTES:.1f} %), RAM {self.ram_bytes} of {CAP_RAM_BYTES} bytes "
            f"({100 * self.ram_bytes / CAP_RAM_BYTES:.1f} %)"
        )


def build_cap(folder: Path | None = None) -> CapFirmware:
    """Compile the firmware of the caps on the glasses. `folder` as for `build_firmware`. Raises `BuildError`."""
    missing = missing_for_firmware()
    if missing:
        raise BuildError(missing)
    flags = [*_CAP_FLAGS, f"-I{AVR / 'src'}", f"-I{CAP}"]
    elf = _compile("avr-gcc", flags, _sources(CAP, CAP / "attiny"), [], "cap", ".elf", folder)
    hex_file = elf.with_suffix(".hex")
    if not hex_file.exists():
        _run(["avr-objcopy", "-O", "ihex", "-R", ".eeprom", str(elf), str(hex_file)])
    text, data, bss = (int(size) for size in _run(["avr-size", str(elf)]).splitlines()[1].split()[:3])
    return CapFirmware(elf, hex_file, text + data, data + bss)


def cap_eeprom_hex(glass: str, cap_id: int) -> str:
    """What makes a cap that of a glass, as Intel HEX for its EEPROM: the glass, the cap's own number, and no starts
    yet.

    `cap_id`: 0 to 65534, drawn anew for each cap: two that say they are of one glass are told apart by it.
    """
    data = bytes((TRAVELLING.index(glass), cap_id & 0xFF, cap_id >> 8, 0xFF))
    record = bytes((len(data), 0, 0, 0)) + data
    return f":{record.hex().upper()}{-sum(record) & 0xFF:02X}\n:00000001FF\n"


def build_cap_check(folder: Path | None = None) -> Path:
    """Compile the caps' core and their receiver's decoder for the host, with sanitizers."""
    if shutil.which("gcc") is None:
        raise BuildError("gcc is not installed (Debian: apt-get install gcc libc6-dev)")
    flags = [*_HOST_FLAGS, f"-I{AVR / 'src'}", f"-I{CAP}", "-fsanitize=address,undefined"]
    sources = [*_sources(CAP, CAP / "host"), AVR / "src" / "caps.c"]
    return _compile("gcc", flags, sources, [], "cap-core", "", folder)


def build_harness(build: Build, folder: Path | None = None) -> Path:
    """Compile the simulated bench for a build's wiring. Raises `BuildError`."""
    missing = missing_for_simavr()
    if missing:
        raise BuildError(missing)
    flags = [*_HOST_FLAGS, *_options(build), f"-I{SIMAVR_HEADERS}"]
    return _compile("gcc", flags, _sources(SIMAVR), ["-lsimavr", "-lutil"], f"bench-{build.name}", "", folder)


def build_core_check(build: Build, folder: Path | None = None) -> Path:
    """Compile the firmware's protocol core for the host, with the program that runs the test vectors through it."""
    if shutil.which("gcc") is None:
        raise BuildError("gcc is not installed (Debian: apt-get install gcc libc6-dev)")
    flags = [*_HOST_FLAGS, *_options(build), f"-I{AVR / 'src'}", "-fsanitize=address,undefined"]
    return _compile("gcc", flags, _sources(AVR / "src", AVR / "host"), [], f"core-{build.name}", "", folder)


def _sources(*folders: Path) -> list[Path]:
    return [source for folder in folders for source in sorted(folder.glob("*.c"))]


def _fingerprint(flags: Iterable[str]) -> str:
    digest = hashlib.sha256(repr(list(flags)).encode())
    for folder in (AVR / "src", AVR / "mega", AVR / "host", CAP, CAP / "attiny", CAP / "host", SIMAVR):
        for source in sorted(folder.glob("*.[ch]")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def _compile(
    compiler: str, flags: Sequence[str], sources: Sequence[Path], libraries: Sequence[str],
    name: str, suffix: str, folder: Path | None,
) -> Path:  # fmt: skip
    mark = "" if folder is not None else "-" + _fingerprint(flags)
    target = (folder or cache_folder()) / f"{name}{mark}{suffix}"
    if folder is None and target.exists():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"{target.parent}: {error.strerror}") from None
    target.with_suffix(".hex").unlink(missing_ok=True)
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    _run([compiler, *flags, "-o", str(fresh), *map(str, sources), *libraries])
    fresh.replace(target)
    return target


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        first = next(iter(done.stderr.strip().splitlines()), f"status {done.returncode}")
        raise BuildError(f"{command[0]} failed: {first}")
    return done.stdout

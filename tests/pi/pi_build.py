"""The emulated Pi's parts, all from Debian and PyPI: a QEMU that has its SPI, an arm64 kernel with the real pin driver,
and a card with Raspberry Pi OS bookworm's Python.

Packages are unpacked and never installed, so no script of theirs runs. What comes out is kept outside the clone by the
recipe's hash, so that a later run downloads and builds nothing; the program itself is not part of it.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs

CLONE: Final = Path(__file__).resolve().parents[2]
GUEST_PYTHON: Final = (3, 11)
TOOLS: Final = ("mmdebstrap", "mke2fs", "cpio", "xz")
APT_LINE: Final = "apt-get install --no-install-recommends mmdebstrap e2fsprogs cpio xz-utils"

_ROOTS: Final = {
    "host": ("trixie", "qemu-system-arm,device-tree-compiler,kmod"),
    "kernel": ("trixie", "linux-image-arm64"),
    "card": ("bookworm", "?essential,python3,python3-spidev,mount,passwd,util-linux,busybox-static"),
}
_MODULES: Final = ("bcm2835", "sdhci-iproc", "ext4", "spi-bcm2835", "spidev", "bcm2835_wdt")
_PLATFORMS: Final = ("manylinux_2_34_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")
_BOARD: Final = "broadcom/bcm2837-rpi-3-b.dtb"
_UNSEEN: Final = ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt", "var/lib/apt/lists")
_SPI: Final = "/soc/spi@7e204000"
_SPIDEV: Final = f"{_SPI}/spidev@0"
_LONGEST_S: Final = 1800


class PiBuildError(Exception):
    """The emulated Pi cannot be had; the text says what is lacking and how to get it."""


@attrs.frozen
class EmulatedPi:
    """What is booted: QEMU's command without a machine, kernel, device tree, file system of the beginning, card."""

    qemu: tuple[str, ...]
    qemu_modules: Path
    kernel: Path
    tree: Path
    initramfs: Path
    card: Path


def cache_folder() -> Path:
    """Where it is kept: `$XDG_CACHE_HOME/tamsk-pi/pi`, by default under `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "tamsk-pi" / "pi"


def make_pi(cache: Path) -> EmulatedPi:
    """The Pi out of `cache`, built first where it is not there yet; `PiBuildError` says what is lacking."""
    if os.uname().machine != "x86_64":
        raise PiBuildError(f"the emulator unpacked here is for x86-64, and this is {os.uname().machine}")
    if os.geteuid():
        raise PiBuildError("needs root, to unpack Debian's packages with the owners of their files")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise PiBuildError(f"needs {', '.join(missing)}: {APT_LINE}")
    wanted = _wanted()
    recipe = hashlib.sha256(Path(__file__).read_bytes() + "\n".join(wanted).encode()).hexdigest()[:12]
    folder = cache / recipe
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="build-", dir=cache) as work:
            made = _build(Path(work), wanted)
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():  # else another run was faster
                    raise
    qemu = _foreign(folder / "host", "qemu-system-aarch64", "-L", str(folder / "host/usr/share/qemu"))
    modules = folder / "host/usr/lib/x86_64-linux-gnu/qemu"
    return EmulatedPi(qemu, modules, folder / "vmlinuz", folder / "pi.dtb", folder / "initramfs", folder / "card.img")


def _wanted() -> list[str]:
    """What the program needs from PyPI on a Pi."""
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], "lgpio>=0.2.2"]


def _foreign(root: Path, program: str, *words: str) -> tuple[str, ...]:
    """The command of a program of an unpacked Debian, with that Debian's own loader and libraries."""
    libraries = ":".join(str(root / place) for place in ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"))
    found = next(root / place / program for place in ("usr/bin", "usr/sbin") if (root / place / program).exists())
    return (str(root / "usr/lib64/ld-linux-x86-64.so.2"), "--library-path", libraries, str(found), *words)


def _run(command: Sequence[str | Path], cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=_LONGEST_S, check=False)
    if done.returncode:
        tail = " / ".join((done.stderr or done.stdout).strip().splitlines()[-3:])
        raise PiBuildError(f"{' '.join(map(str, command))}: exit status {done.returncode}: {tail}")
    return done.stdout


def _build(work: Path, wanted: Sequence[str]) -> Path:
    for name, (suite, packages) in _ROOTS.items():
        architecture = "amd64" if name == "host" else "arm64"
        options = ["--quiet", "--mode=root", "--variant=extract", f"--architecture={architecture}"]
        options += [f"--include={package}" for package in packages.split(",")]
        _run(["mmdebstrap", *options, suite, work / name], work)
    made = work / "made"
    made.mkdir()
    _fill_card(work / "card", wanted)
    # The size is a power of two, which the emulated reader of cards asks for.
    options = ["-q", "-t", "ext4", "-O", "^metadata_csum_seed,^orphan_file"]
    try:
        _run(["mke2fs", *options, "-d", work / "card", made / "card.img", "1024M"], work)
    except PiBuildError:  # an older mke2fs does not know the second of them, and does not make it either
        options[-1] = "^metadata_csum_seed"
        _run(["mke2fs", "-F", *options, "-d", work / "card", made / "card.img", "1024M"], work)
    release = next((work / "kernel/usr/lib/modules").iterdir()).name
    shutil.copy(work / f"kernel/boot/vmlinuz-{release}", made / "vmlinuz")
    _make_tree(work, work / f"kernel/usr/lib/linux-image-{release}" / _BOARD, made / "pi.dtb")
    _make_initramfs(work, release, made / "initramfs")
    (work / "host").rename(made / "host")
    return made


def _fill_card(card: Path, wanted: Sequence[str]) -> None:
    """What the packages' scripts would have done, as far as it is needed, and the program's libraries."""
    words = [word for platform in _PLATFORMS for word in ("--platform", platform)]
    words += ["--python-version", "3.11", "--implementation", "cp", "--only-binary", ":all:", "--no-compile"]
    _run([sys.executable, "-m", "pip", "install", "-q", "--target", card / "opt/site", *words, *wanted], card)
    for kind in ("passwd", "group"):
        shutil.copy(card / f"usr/share/base-passwd/{kind}.master", card / "etc" / kind)
    with (card / "etc/group").open("a", encoding="utf-8") as group:
        group.write("gpio:x:986:\nspi:x:987:\ntamsk-pi:x:988:\n")
    with (card / "etc/passwd").open("a", encoding="utf-8") as users:
        users.write("tamsk-pi:x:988:988::/var/lib/tamsk-pi:/usr/sbin/nologin\n")
    (card / "var/lib/tamsk-pi").mkdir(parents=True)
    os.chown(card / "var/lib/tamsk-pi", 988, 988)
    if not (card / "bin/sh").exists():
        (card / "bin/sh").symlink_to("dash")
    precompile(card / "opt/site")
    precompile(card / "usr/lib/python3.11")
    for place in _UNSEEN:
        shutil.rmtree(card / place, ignore_errors=True)


def precompile(folder: Path) -> None:
    """Spare the emulated processor this work, where the Python here is of the guest's version."""
    if sys.version_info[:2] == GUEST_PYTHON:
        compileall.compile_dir(folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def _make_tree(work: Path, upstream: Path, tree: Path) -> None:
    """The kernel's own device tree, as a Pi's firmware hands it over with docs/install.md's `config.txt`: SPI on, the
    console free of Bluetooth and off the header, the revision told."""
    shutil.copy(upstream, tree)

    def put(*words: str) -> str:
        return _run([*_foreign(work / "host", "fdtput"), *words[:1], tree, *words[1:]], work)

    def put_typed(kind: str, node: str, name: str, *values: str) -> None:
        _run([*_foreign(work / "host", "fdtput"), "-t", kind, tree, node, name, *values], work)

    put("-r", "/soc/serial@7e201000/bluetooth")
    put_typed("s", "/soc/serial@7e215040", "status", "disabled")
    put_typed("s", _SPI, "status", "okay")
    # The emulated DMA does not serve SPI; the driver moves the words itself where it is told of none.
    for name in ("dmas", "dma-names"):
        put("-d", _SPI, name)
    put("-c", _SPIDEV)
    put_typed("s", _SPIDEV, "compatible", "rohm,dh2228fv")
    put_typed("x", _SPIDEV, "reg", "0")
    put_typed("x", _SPIDEV, "spi-max-frequency", "7735940")
    put("-c", "/system")
    put_typed("x", "/system", "linux,revision", "a02082")
    gpio = _run([*_foreign(work / "host", "fdtget"), "-t", "x", tree, "/soc/gpio@7e200000", "phandle"], work).strip()
    put_typed("x", _SPI, "cs-gpios", gpio, "8", "1")


def _make_initramfs(work: Path, release: str, target: Path) -> None:
    """Busybox, and the modules in the order in which they load; the rest is added by each boot."""
    root = work / "initramfs"
    (root / "bin").mkdir(parents=True)
    (root / "modules").mkdir()
    shutil.copy(work / "card/bin/busybox", root / "bin/busybox")
    usr = work / "kernel/usr"
    _run([*_foreign(work / "host", "depmod"), "-b", usr, release], work)
    modprobe = _foreign(work / "host", "modprobe")
    taken: list[str] = []
    for name in _MODULES:
        shown = _run([*modprobe, "-d", usr, "-S", release, "--show-depends", name], work)
        for line in shown.splitlines():
            what, _, path = line.partition(" ")
            source = Path(path.split()[0])
            if what == "insmod" and source.name not in taken:
                unpacked = root / "modules" / f"{len(taken):02}-{source.name.removesuffix('.xz')}"
                with unpacked.open("wb") as module:
                    subprocess.run(["xz", "-dc", source], stdout=module, check=True)
                taken.append(source.name)
    pack(root, target)


def pack(root: Path, target: Path) -> None:
    """The files below a folder as the kernel unpacks them at its beginning, owned by root."""
    names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    command = ["cpio", "--create", "--format=newc", "--quiet", "--owner=0:0"]
    with target.open("wb") as archive:
        subprocess.run(command, cwd=root, input=names.encode(), stdout=archive, check=True)

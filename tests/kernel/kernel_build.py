"""A Debian kernel that QEMU can boot, with gpio-sim, which no Debian kernel ships, built from Debian's own source.

Kernel image and source are downloaded by apt and unpacked, never installed; only the headers must be installed. What
comes out (kernel, initramfs with the modules and the guest's init) is kept outside the clone by kernel version, so that
a later run downloads and builds nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

INIT: Final = Path(__file__).with_name("guest") / "init"
TOOLS: Final = ("qemu-system-x86_64", "apt-get", "dpkg-deb", "cpio", "xz", "make", "gcc", "strip")
APT_LINE: Final = "apt-get install --no-install-recommends qemu-system-x86 linux-headers-amd64 cpio xz-utils make gcc"

_SOURCES: Final = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
_MODULES: Final = (
    "virtio_ring",
    "virtio",
    "virtio_pci_modern_dev",
    "virtio_pci_legacy_dev",
    "virtio_pci",
    "9pnet",
    "9pnet_virtio",
    "netfs",
    "fscache",
    "9p",
    "overlay",
    "configfs",
)
_OWN_MODULE: Final = "gpio-sim-oot"
_HEADERS: Final = re.compile(r"linux-headers-(\d[\d.]*-\d+-amd64) (\S+)")
_LONGEST_S: Final = 300


class KernelBuildError(Exception):
    """The kernel cannot be had; the text says what is lacking and how to get it."""


@attrs.frozen
class Kernel:
    """What QEMU boots."""

    release: str
    image: Path
    initramfs: Path


@attrs.frozen
class _Debian:
    """The kernel whose headers are installed: its release (`uname -r`) and its package's version."""

    release: str
    version: str

    @property
    def series(self) -> str:
        return ".".join(self.release.split(".")[:2])


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where built kernels are kept: `$XDG_CACHE_HOME/tamsk-pi/kernel`, by default under `~/.cache`."""
    base = environment.get("XDG_CACHE_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "tamsk-pi" / "kernel"


def make_kernel(cache: Path) -> Kernel:
    """The kernel out of `cache`, built first where it is not there yet; `KernelBuildError` says what is lacking."""
    if os.uname().machine != "x86_64":
        raise KernelBuildError(f"the guest is an x86-64 machine, and this is {os.uname().machine}")
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise KernelBuildError(f"needs {', '.join(missing)}: {APT_LINE}")
    debian = _installed_headers()
    recipe = hashlib.sha256(INIT.read_bytes() + Path(__file__).read_bytes()).hexdigest()[:12]
    folder = cache / f"{debian.release}_{debian.version}_{recipe}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="build-", dir=cache) as work:
            made = _build(debian, Path(work))
            try:
                made.rename(folder)
            except OSError:
                if not folder.is_dir():  # else another run was faster
                    raise
    return Kernel(debian.release, folder / "vmlinuz", folder / "initramfs")


def _run(command: Sequence[str | Path], cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=_LONGEST_S, check=False)
    if done.returncode:
        tail = " / ".join((done.stderr or done.stdout).strip().splitlines()[-3:])
        raise KernelBuildError(f"{' '.join(map(str, command))}: exit status {done.returncode}: {tail}")


def _installed_headers() -> _Debian:
    listed = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Package} ${Version}\n", "linux-headers-*"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    found = [_Debian(*match.groups()) for line in listed.splitlines() if (match := _HEADERS.fullmatch(line))]
    if not found:
        raise KernelBuildError(f"needs a kernel's headers: {APT_LINE}")
    return max(found, key=lambda debian: [int(number) for number in re.findall(r"\d+", debian.release)])


def _build(debian: _Debian, work: Path) -> Path:
    packages = [
        f"linux-image-{debian.release}={debian.version}",
        f"linux-source-{debian.series}={debian.version}",
        "busybox-static",
    ]
    try:
        _run(["apt-get", "download", *packages], work)
    except KernelBuildError as error:
        # The archive keeps the newest kernel only: headers from before its last update fit nothing there any more.
        raise KernelBuildError(f"{error}; if the archive moved on: apt-get update, then {APT_LINE}") from error
    for name in ("image", "source", "busybox"):
        package = next(work.glob(f"*{name}*.deb"))
        _run(["dpkg-deb", "--extract", package, work / name], work)
        package.unlink()
    module = _build_gpio_sim(debian, work)
    made = work / "made"
    made.mkdir()
    shutil.copy(work / "image" / "boot" / f"vmlinuz-{debian.release}", made / "vmlinuz")
    _pack_initramfs(debian, work, module, made / "initramfs")
    return made


def _build_gpio_sim(debian: _Debian, work: Path) -> Path:
    folder = work / "module"
    folder.mkdir()
    archive = work / "source" / "usr" / "src" / f"linux-source-{debian.series}.tar.xz"
    inside = [f"linux-source-{debian.series}/{name}" for name in _SOURCES]
    _run(["tar", "--extract", "--file", archive, "--strip-components=1", *inside], work)
    for name in _SOURCES:
        shutil.move(work / name, folder)
    # The simulated interrupts have no prompt of their own, so they come along; what they call is exported under
    # another name.
    _change(folder / "irq_sim.c", "handle_simple_irq(irq_to_desc(irqnum));", "generic_handle_irq(irqnum);")
    # Raspberry Pi's kernels leave an output as it was when its owner is gone, and say so in a parameter like this one.
    _change(
        folder / "gpio-sim.c",
        "static void gpio_sim_free(",
        "static bool persist_outputs;\nmodule_param(persist_outputs, bool, 0644);\n\nstatic void gpio_sim_free(",
    )
    kept = "persist_outputs && !test_bit(offset, chip->direction_map)"
    to_its_pull = "__assign_bit(offset, chip->value_map, !!test_bit(offset, chip->pull_map));"
    _change(folder / "gpio-sim.c", to_its_pull, f"if (!({kept}))\n\t\t{to_its_pull}")
    (folder / "Makefile").write_text(f"obj-m := {_OWN_MODULE}.o\n{_OWN_MODULE}-y := gpio-sim.o irq_sim.o\n")
    _run(["make", "-C", f"/usr/src/linux-headers-{debian.release}", f"M={folder}", "modules"], work)
    module = folder / f"{_OWN_MODULE}.ko"
    _run(["strip", "--strip-debug", module], work)
    return module


def _change(source: Path, old: str, new: str) -> None:
    text = source.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise KernelBuildError(f"{source.name} of this kernel is not as expected: no single {old!r} in it")
    source.write_text(text.replace(old, new), encoding="utf-8")


def _pack_initramfs(debian: _Debian, work: Path, own_module: Path, target: Path) -> None:
    root = work / "root"
    (root / "bin").mkdir(parents=True)
    (root / "modules").mkdir()
    shutil.copy(work / "busybox" / "bin" / "busybox", root / "bin" / "busybox")
    shutil.copy(INIT, root / "init")
    (root / "init").chmod(0o755)
    tree = work / "image" / "lib" / "modules" / debian.release
    for place, name in enumerate(_MODULES):
        shutil.copy(next(tree.rglob(f"{name}.ko")), root / "modules" / f"{place:02}-{name}.ko")
    shutil.copy(own_module, root / "modules" / f"{len(_MODULES):02}-{_OWN_MODULE}.ko")
    names = "\0".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    with target.open("wb") as out:
        subprocess.run(
            ["cpio", "--create", "--format=newc", "--null", "--quiet"],
            input=names.encode(),
            stdout=out,
            cwd=root,
            timeout=_LONGEST_S,
            check=True,
        )

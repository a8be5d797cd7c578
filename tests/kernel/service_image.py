"""What a guest boots to be the box: the installation as `make install` makes it, and the test's own units."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

CLONE = Path(__file__).parents[2]
BOX = Path(__file__).with_name("box")
GUEST_PYTHON = "/usr/bin/python3"
UNITS = "etc/systemd/system"
# Slow in the emulation, and nothing to the service.
LEFT_OUT = (
    "ldconfig systemd-firstboot systemd-hwdb-update systemd-journal-catalog-update systemd-machine-id-commit "
    "systemd-random-seed systemd-timesyncd systemd-tmpfiles-setup systemd-tmpfiles-setup-dev systemd-update-done "
    "systemd-update-utmp"
)


class ImageError(Exception):
    """There is nothing to boot; the text says what is lacking."""


def make_image(image: Path) -> None:
    """Fill a folder with what is laid over the host's files: the installation, lgpio as apt would bring it, the units.

    Into lgpio the matrix's wires are laid: without them no glass would ever be seen.

    The service may not look into people's homes, where the Python that runs this may well be, so it has the system's.
    """
    if not Path("/lib/systemd/systemd").exists():
        raise ImageError("needs systemd: apt-get install systemd udev")
    told = subprocess.run([GUEST_PYTHON, "-V"], capture_output=True, text=True, check=False).stdout
    if not told.startswith(f"Python {sys.version_info.major}.{sys.version_info.minor}."):
        raise ImageError(
            f"needs {GUEST_PYTHON} of the same version as this Python, for the compiled lgpio; it is {told.strip()}"
        )
    image.chmod(0o755)  # it becomes the guest's root
    subprocess.run(
        ["make", "--silent", "install", f"DESTDIR={image}", f"PYTHON={sys.executable}"],
        cwd=CLONE,
        capture_output=True,
        check=True,
    )
    launcher = image / "opt/tamsk-pi/bin/tamsk-pi"
    launcher.write_text(re.sub("^#!.*", f"#!{GUEST_PYTHON} -sP", launcher.read_text(), count=1))
    lgpio = importlib.util.find_spec("lgpio")
    assert lgpio is not None
    assert lgpio.origin is not None
    for path in Path(lgpio.origin).parent.glob("*lgpio*"):
        if path.is_file():
            shutil.copy(path, image / "opt/tamsk-pi/lib")
    shutil.copy(BOX / "wires.py", image / "opt/tamsk-pi/lib/box_wires.py")
    with (image / "opt/tamsk-pi/lib/lgpio.py").open("a", encoding="utf-8") as module:
        module.write("\n\nimport box_wires\n\nbox_wires.lay_into(globals())\n")
    _without_socket_lamps(image / "etc/tamsk-pi")
    (image / UNITS / "tamsk-pi.service.d").mkdir(parents=True)
    shutil.copy(BOX / "guest.conf", image / UNITS / "tamsk-pi.service.d")
    shutil.copy(BOX / "box-test.service", image / UNITS)
    (image / "box").mkdir()
    for name in ("driver.py", "no-off.conf"):
        shutil.copy(BOX / name, image / "box")
    for name in LEFT_OUT.split():
        (image / UNITS / f"{name}.service").symlink_to("/dev/null")


def _without_socket_lamps(folder: Path) -> None:
    """The matrix board's profile for a header without SPI, which gpio-sim has not."""
    whole = (CLONE / "hardware/boards/matrix.toml").read_text(encoding="utf-8")
    text = re.sub(r"(?ms)^\[socket_lamps\].*?(?=^\[|\Z)", "", whole)
    assert text != whole
    (folder / "board.toml").write_text(text, encoding="utf-8")
    (folder / "config.toml").write_text('board = "/etc/tamsk-pi/board.toml"\n', encoding="utf-8")

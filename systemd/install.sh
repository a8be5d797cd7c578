#!/bin/sh
# Install the referee as a service: sudo make install. May be run again at any time: programs and units are replaced,
# the configuration and the games are kept. With DESTDIR everything goes below that folder and nothing on this machine
# is touched. The only network it uses is the package index that pip uses.
#
#   /opt/tamsk-pi/                    the program with everything it needs, and its launcher
#   /usr/local/bin/tamsk-pi           the command
#   /etc/tamsk-pi/config.toml         the configuration
#   /usr/local/share/                 what lets bash, zsh and fish complete it
#   /usr/local/lib/systemd/system/    the units; sysusers.d and udev/rules.d beside them
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
dest=${DESTDIR:-}
python=$("${PYTHON:-python3}" -c 'import sys; sys.version_info >= (3, 11) or sys.exit("tamsk-pi needs Python 3.11 or newer"); print(sys.executable)')

fail() { echo "install: $*" >&2; exit 1; }
warn() { echo "install: $*" >&2; }

[ -n "$dest" ] || [ "$(id -u)" = 0 ] || fail "must be root: sudo make install"
"$python" -m pip --version >/dev/null 2>&1 || fail "$python has no pip: apt install python3-pip"

# The program goes into a folder of its own, complete, before it takes the old one's place.
opt=$dest/opt/tamsk-pi
rm -rf "$opt/lib.new" "$opt/lib.old"
mkdir -p "$opt/bin" "$dest/usr/local/bin" "$dest/etc/tamsk-pi"
"$python" -m pip install --quiet --disable-pip-version-check --no-warn-script-location --target "$opt/lib.new" "$(dirname "$here")"
[ ! -d "$opt/lib" ] || mv "$opt/lib" "$opt/lib.old"
mv "$opt/lib.new" "$opt/lib"
rm -rf "$opt/lib.old"
cat >"$opt/bin/tamsk-pi" <<LAUNCHER
#!$python -sP
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from tamsk_pi.cli import main

main(prog_name="tamsk-pi")
LAUNCHER
chmod 755 "$opt/bin/tamsk-pi"
complete() { mkdir -p "$(dirname "$2")" && (cd / && "$opt/bin/tamsk-pi" completion "$1") >"$2"; }
complete bash "$dest/usr/local/share/bash-completion/completions/tamsk-pi"
complete zsh "$dest/usr/local/share/zsh/site-functions/_tamsk-pi"
complete fish "$dest/usr/local/share/fish/vendor_completions.d/tamsk-pi.fish"
ln -sfn ../../../opt/tamsk-pi/bin/tamsk-pi "$dest/usr/local/bin/tamsk-pi"

if [ -e "$dest/etc/tamsk-pi/config.toml" ]; then
    echo "install: kept $dest/etc/tamsk-pi/config.toml"
else
    install -m 644 "$here/config.toml" "$dest/etc/tamsk-pi/config.toml"
fi

units=$dest/usr/local/lib/systemd/system
mkdir -p "$units" "$dest/usr/local/lib/sysusers.d" "$dest/etc/udev/rules.d"
install -m 644 "$here/tamsk-pi.service" "$here/tamsk-pi-kiosk.service" "$units"
install -m 644 "$here/sysusers.conf" "$dest/usr/local/lib/sysusers.d/tamsk-pi.conf"
install -m 644 "$here/70-tamsk-pi.rules" "$dest/etc/udev/rules.d/70-tamsk-pi.rules"
# Older systemd warns of these keys at every start.
version=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
rm -rf "$units/tamsk-pi.service.d"
if [ "${version:-0}" -ge 254 ]; then
    install -D -m 644 "$here/back-off.conf" "$units/tamsk-pi.service.d/back-off.conf"
fi

# In a folder that goes: importing lgpio makes a pipe where it is done.
scratch=$(mktemp -d)
(cd "$scratch" && "$python" -c 'import lgpio') 2>/dev/null || warn "$python has no lgpio, which the matrix board needs: apt install python3-lgpio"
rm -rf "$scratch"
[ -n "$dest" ] && exit 0

! command -v brltty >/dev/null || warn "brltty takes CH340 serial adapters away: apt remove brltty, if nobody needs it"
systemd-sysusers "/usr/local/lib/sysusers.d/tamsk-pi.conf"
udevadm control --reload
udevadm trigger --subsystem-match=tty --subsystem-match=gpio --subsystem-match=spidev --subsystem-match=i2c-dev
systemctl daemon-reload
systemctl enable tamsk-pi.service
systemctl restart tamsk-pi.service
echo "install: tamsk-pi.service is enabled and started; now run: sudo -u tamsk-pi tamsk-pi doctor"

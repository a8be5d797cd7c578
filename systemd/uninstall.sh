#!/bin/sh
# Take the service away again: sudo make uninstall. May be run again at any time. The configuration, the games and the
# user they belong to are kept.
set -eu
dest=${DESTDIR:-}
[ -n "$dest" ] || [ "$(id -u)" = 0 ] || { echo "uninstall: must be root: sudo make uninstall" >&2; exit 1; }

if [ -z "$dest" ]; then
    for unit in tamsk-pi-kiosk.service tamsk-pi.service; do
        if systemctl cat "$unit" >/dev/null 2>&1; then systemctl disable --now "$unit"; fi
    done
fi
units=$dest/usr/local/lib/systemd/system
rm -rf "$dest/opt/tamsk-pi" "$units/tamsk-pi.service.d"
rm -f "$units/tamsk-pi.service" "$units/tamsk-pi-kiosk.service" "$dest/usr/local/bin/tamsk-pi" \
    "$dest/usr/local/share/bash-completion/completions/tamsk-pi" "$dest/usr/local/share/zsh/site-functions/_tamsk-pi" \
    "$dest/usr/local/share/fish/vendor_completions.d/tamsk-pi.fish" \
    "$dest/usr/local/lib/sysusers.d/tamsk-pi.conf" "$dest/etc/udev/rules.d/70-tamsk-pi.rules"
if [ -z "$dest" ]; then
    systemctl daemon-reload
    udevadm control --reload
fi
echo "uninstall: kept $dest/etc/tamsk-pi and $dest/var/lib/tamsk-pi; remove them by hand if nothing in them is wanted"

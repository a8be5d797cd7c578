# What the one guest is asked, one after the other; each answer is a line `GUEST name rc=status`.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
export PYTHONPATH=/run/program:/opt/site PYTHONDONTWRITEBYTECODE=1
# As systemd/60-tamsk-pi.rules and Raspberry Pi OS have it: the header's devices belong to their groups.
chgrp gpio /dev/gpiochip*
chgrp spi /dev/spidev*
chmod 660 /dev/gpiochip* /dev/spidev*
mkdir -p /run/work
cd /run/work
ask() {
    name=$1
    shift
    echo "ASKED $name"
    "$@" </dev/null
    echo "GUEST $name rc=$?"
}
as_service() { setpriv --reuid tamsk-pi --regid tamsk-pi --groups gpio,spi -- "$@"; }
chown tamsk-pi: /run/work
export XDG_DATA_HOME=/var/lib
if [ "$RUN_PART" = again ]; then
    python3 -m tests.pi.guest.scene again
else
    HOME=/var/lib/tamsk-pi
    ask pi_info as_service python3 -m tests.pi.guest.lines pi_info
    ask lines as_service python3 -m tests.pi.guest.lines lines
    ask spi as_service python3 -m tests.pi.guest.lines spi
    ask doctor as_service python3 -m tamsk_pi doctor --set board=matrix
    HOME=/root
    python3 -m tests.pi.guest.scene first
fi
sync
/bin/busybox reboot -f

#!/bin/sh
# Inside the guest: checks or figures with one pin factory. $1 is WHAT:FACTORY; WHAT is DRIVER (the checks of the
# driver), ALL (those of the box's commands too) or FIGURES.
# PYTHON and CLONE come from the kernel's command line. The root is read-only; lgpio makes a pipe in the working folder.
cd /run || exit 1
export PYTHONDONTWRITEBYTECODE=1 HOME=/run PATH=/usr/sbin:/usr/bin:/sbin:/bin
export RPI_LGPIO_REVISION="$REVISION" RPI_LGPIO_CHIP=0 PIN_FACTORY="${1#*:}"
checks=$CLONE/tests/kernel/guest
check() { exec "$PYTHON" -m pytest -q -p no:cacheprovider --rootdir "$CLONE" --color=no "$@"; }
case "$1" in
    DRIVER:*) check "$checks/check_lines.py" "$checks/check_game.py" ;;
    ALL:*) check "$checks"/check_*.py ;;
    FIGURES:*) export PYTHONPATH="$CLONE" && exec "$PYTHON" -m tests.kernel.guest.figures ;;
    *) echo "unknown run $1" && exit 2 ;;
esac

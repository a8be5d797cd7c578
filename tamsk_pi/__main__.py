"""`python -m tamsk_pi` is `tamsk-pi`."""

from tamsk_pi.cli import main

main(prog_name="tamsk-pi")

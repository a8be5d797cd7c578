"""`tamsk-pi play`: play on a sensor-equipped board, with help."""

from __future__ import annotations

from tamsk_pi.commands.board_command import board_command

command = board_command(
    "play",
    "Play on a board with sensors: whose turn it is, where a lifted glass may go, a ring still due, a glass that is"
    " about to run out, and how to set up are shown on its lamps.",
)

"""`tamsk-pi referee`: the box that stays silent until something is illegal."""

from __future__ import annotations

from tamsk_pi.commands.board_command import board_command

command = board_command(
    "referee",
    "Watch a game on a board with sensors: dark and silent until something is illegal or a time penalty falls due, and"
    " keeping the record.",
)

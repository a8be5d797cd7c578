"""`tamsk-pi perft` as a user meets it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import main

START = "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["perft", *arguments])


@pytest.mark.parametrize(("depth", "count"), [("0", "1"), ("1", "9"), ("5", "100146")])
def test_the_count_alone(depth: str, count: str) -> None:
    for arguments in (["--depth", depth], ["--depth", depth, "--position", START]):
        result = run(*arguments)
        assert (result.exit_code, result.output) == (0, f"{count}\n")


def test_divide_lists_the_moves_in_order_and_their_total() -> None:
    result = run("--depth", "3", "--divide")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "A4-A3x: 89"
    assert lines[-1] == "total: 858"
    assert lines[:-1] == sorted(lines[:-1])
    assert sum(int(line.split(": ")[1]) for line in lines[:-1]) == 858


def test_divide_of_no_moves_and_of_a_game_that_has_ended() -> None:
    assert run("--depth", "0", "--divide").output == "total: 1\n"
    won = "1b111r/12221/123321/1r23432b1/123221/10001/1b100r r 0 9"
    assert run("--depth", "2", "--divide", "--position", won).output == "total: 0\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Error: Missing option '--depth'.\n"),
        (["--depth", "x"], "Error: Invalid value for '--depth': 'x' (allowed: a whole number from 0 to 999)\n"),
        (["--depth", "-1"], "Error: Invalid value for '--depth': '-1' (allowed: a whole number from 0 to 999)\n"),
        (["--depth", "1.5"], "Error: Invalid value for '--depth': '1.5' (allowed: a whole number from 0 to 999)\n"),
        (["--depth", "٣"], "Error: Invalid value for '--depth': '٣' (allowed: a whole number from 0 to 999)\n"),
        (["--depth", "1", "--deep"], "Error: No such option '--deep'."),
        (
            ["--depth", "1", "--position", START.replace(" r 32 32", " w 33 32").replace("0r0", "2r0")],
            "Error: Invalid value for '--position': side to move: 'w' (allowed: r or b); "
            "D1: 2 rings (allowed: 0 to 1); red's rings left: 33 (allowed: 0 to 32); "
            "rings: 2 on the board and 33 + 32 left make 67 (must be 64)\n",
        ),
        (
            ["--depth", "1", "--position", "a\nb"],
            "Error: Invalid value for '--position': missing: red's rings left, black's rings left; "
            "column A: 'a' (allowed: digits, r and b); column A: 0 sockets (must be 4); "
            "1 columns (must be 7, separated by '/')\n",
        ),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1


def test_help_says_what_is_counted_and_how_a_position_is_written() -> None:
    result = run("--help")
    assert result.exit_code == 0
    words = " ".join(result.output.split())
    assert "--depth N" in words
    assert "columns A to G separated by '/', each socket from the bottom one digit" in words
    assert "passes, which counts as one move" in words

"""`tamsk-pi replay` on files that are no traces: one line of error with the line number, status 2, no traceback."""

from __future__ import annotations

import io
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.trace import TraceError, TraceReader

HEADER = '{"format": "tamsk-trace", "version": 1, "level": 3, "rings": "stack"}'
LIFT = '{"t": 100, "socket": "D1", "closed": false}'

BROKEN_LINES = {
    "a line cut short": ('{"t": 200, "socket": "D1", "clo', "not JSON"),
    "not JSON": ("lifted D1", "not JSON"),
    "a blank line that something follows": (f"\n{LIFT}", "not JSON"),
    "deep nesting": ("[" * 30_000, "not JSON"),
    "a number with too many digits": (f'{{"t": {"9" * 6_000}}}', "not JSON"),
    "a list": ('[200, "socket"]', "is no JSON object"),
    "a bare number": ("17", "is no JSON object"),
    "NaN": ('{"t": NaN, "socket": "D1", "closed": true}', "NaN is no JSON number"),
    "an infinite time": ('{"t": Infinity, "end": true}', "Infinity is no JSON number"),
    "a key twice": ('{"t": 200, "t": 300, "end": true}', "a key stands twice"),
    "no time": ('{"socket": "D1", "closed": true}', "t is missing"),
    "time null": ('{"t": null, "socket": "D1", "closed": true}', "t is missing"),
    "time a text": ('{"t": "200", "socket": "D1", "closed": true}', "t is '200'; allowed: whole ms from 0"),
    "time a fraction": ('{"t": 200.5, "socket": "D1", "closed": true}', "t is 200.5; allowed: whole ms from 0"),
    "time a truth value": ('{"t": true, "socket": "D1", "closed": true}', "t is True; allowed: whole ms from 0"),
    "time below 0": ('{"t": -1, "socket": "D1", "closed": true}', "t is -1; allowed: whole ms from 0"),
    "time beyond all games": ('{"t": 1e400, "socket": "D1", "closed": true}', "t is inf"),
    "time going back": ('{"t": 99, "socket": "D1", "closed": true}', "time goes back from 100 to 99"),
    "an unknown socket": ('{"t": 200, "socket": "D8", "closed": true}', "socket is 'D8'; allowed: A1 to G4"),
    "a socket that is a list": ('{"t": 200, "socket": ["D1"], "closed": true}', "allowed: A1 to G4"),
    "a socket in small letters": ('{"t": 200, "socket": "d1", "closed": true}', "allowed: A1 to G4"),
    "closed a number": ('{"t": 200, "socket": "D1", "closed": 1}', "closed is 1; allowed: true, false"),
    "closed missing": ('{"t": 200, "socket": "D1"}', "closed is missing"),
    "a field of a hall board": ('{"t": 200, "socket": "D1", "field": "N"}', "closed is missing"),
    "an unknown glass": ('{"t": 200, "tilt": "R4", "up": "a"}', "tilt is 'R4'; allowed: R1, R2, R3, B1, B2, B3, N"),
    "an unknown end": ('{"t": 200, "tilt": "R1", "up": "c"}', "up is 'c'; allowed: a, b"),
    "no count at all": ('{"t": 200, "ring": "D4", "count": "1"}', "count is '1'; allowed: a whole number"),
    "half a ring": ('{"t": 200, "ring": "D4", "count": 0.5}', "count is 0.5; allowed: a whole number"),
    "a count beyond measure": ('{"t": 200, "holder": "red", "count": 1000001}', "count is 1000001; allowed: a whole"),
    "an unknown holder": ('{"t": 200, "holder": "arbiter", "count": 3}', "allowed: red, black"),
    "an unknown button": ('{"t": 200, "button": "blue", "down": true}', "allowed: red, black, arbiter"),
    "an unknown key": ('{"t": 200, "socket": "D1", "closed": true, "note": ""}', "unknown key 'note' beside 'socket'"),
    "two kinds in one": ('{"t": 200, "ring": "D1", "tilt": "R1", "up": "a", "count": 1}', "one of socket, tilt"),
    "no kind": ('{"t": 200}', "one of socket, tilt"),
    "an unknown kind": ('{"t": 200, "gesture": "lift"}', "not 'gesture'"),
    "end false": ('{"t": 200, "end": false}', "end is not true"),
    "a link up that was not down": ('{"t": 200, "link": "up"}', "the link is up already"),
    "an unknown state of the link": ('{"t": 200, "link": "lost"}', "allowed: down, up"),
    "an unknown word": ('{"t": 200, "arbiter": "forgive"}', "allowed: pause, resume"),
    "a word without its keys": ('{"t": 200, "arbiter": "rings", "socket": "D1"}', "count is missing"),
    "a glass that runs for no time": (
        '{"t": 200, "arbiter": "glass", "glass": "R1", "state": "running", "left_ms": 0}',
        "left_ms is 0; allowed: whole ms above 0",
    ),
}


def replay(path: Path | str, *more: str, feed: bytes | None = None) -> tuple[int, str, str]:
    """Status, standard output and standard error."""
    result = CliRunner().invoke(main, ["replay", "--json", str(path), *more], input=feed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def refusal(path: Path | str) -> str:
    """The one line on standard error, without what stands before the problem."""
    status, _, err = replay(path)
    assert status == 2
    assert err.count("\n") == 1
    assert err.startswith(f"tamsk-pi: {path}: ")
    assert "Traceback" not in err
    return err.removeprefix(f"tamsk-pi: {path}: ").rstrip("\n")


@pytest.mark.parametrize("name", BROKEN_LINES)
def test_a_broken_line_is_named_by_its_number(tmp_path: Path, name: str) -> None:
    line, problem = BROKEN_LINES[name]
    trace = tmp_path / "broken.trace.jsonl"
    trace.write_text(f"{HEADER}\n{LIFT}\n{line}\n", encoding="utf-8")
    told = refusal(trace)
    assert told.startswith("line 3: ")
    assert problem in told
    assert len(told) < 400


def test_what_came_before_the_broken_line_has_been_judged(tmp_path: Path) -> None:
    trace = tmp_path / "broken.trace.jsonl"
    trace.write_text(f"{HEADER}\n{LIFT}\nnot a line\n")
    status, out, _ = replay(trace)
    assert status == 2
    assert [json.loads(line)["ruling"] for line in out.splitlines()] == ["ready", "started"]


def test_a_torn_last_line_is_left_out_and_told(tmp_path: Path) -> None:
    trace = tmp_path / "torn.trace.jsonl"
    trace.write_text(f"{HEADER}\n{LIFT}\n" + LIFT[:20])
    status, out, err = replay(trace)
    assert (status, err) == (0, f"tamsk-pi: {trace}: the last line was cut short and is left out\n")
    trace.write_text(f"{HEADER}\n{LIFT}\n")
    assert replay(trace) == (0, out, "")


def test_a_last_line_without_its_newline_that_is_whole_is_read(tmp_path: Path) -> None:
    trace = tmp_path / "whole.trace.jsonl"
    trace.write_text(f"{HEADER}\n{LIFT}")
    assert replay(trace)[0] == 0


def test_an_empty_file(tmp_path: Path) -> None:
    trace = tmp_path / "empty.trace.jsonl"
    trace.write_bytes(b"")
    assert refusal(trace) == "line 1: the trace is empty; it must begin with its header"


@pytest.mark.parametrize(
    ("content", "line"),
    [(bytes(range(256)), 1), (b"\x00" * 5_000, 1), (b"\xff\xfe{\x00}\x00", 1), (HEADER.encode() + b"\n\x80\x81\n", 2)],
    ids=["every byte", "zeros", "UTF-16", "after the header"],
)
def test_a_binary_file(tmp_path: Path, content: bytes, line: int) -> None:
    trace = tmp_path / "binary"
    trace.write_bytes(content)
    told = refusal(trace)
    assert told in (f"line {line}: not UTF-8 text", f"line {line}: not JSON")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere.trace.jsonl") == "No such file or directory"


def test_a_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "Is a directory"


def test_something_after_the_end(tmp_path: Path) -> None:
    trace = tmp_path / "more.trace.jsonl"
    trace.write_text(f'{HEADER}\n{{"t": 100, "end": true}}\n{{"t": 100, "socket": "D1", "closed": false}}\n')
    assert refusal(trace) == "line 3: something follows the end"


def test_everything_that_is_wrong_with_a_header_is_told_at_once(tmp_path: Path) -> None:
    trace = tmp_path / "header.trace.jsonl"
    header = {
        "format": "tamsk",
        "version": 2,
        "rules": "mine",
        "rings": "pile",
        "sockets": "eddy",
        "tilt": "yes",
        "tolerance_ms": -1,
        "glass_ms": {"R1": 0, "R9": 5},
        "occupied": ["A1", "A1"],
        "up": {"R1": "c"},
        "gap_ms": {"sockets": 20},
        "settle_ms": {"tilt": 0},
        "flip_grace_ms": 0.5,
        "red": 7,
        "colour": "blue",
    }
    trace.write_text(json.dumps(header) + "\n")
    told = refusal(trace)
    assert told.startswith("line 1: ")
    for key in (*header, "level", "R9"):
        assert key in told, key
    assert "'rulebook', 'wikipedia', 'schmidt1998'" in told
    assert "level is missing" in told


def test_a_header_that_says_true_for_a_number_is_refused(tmp_path: Path) -> None:
    trace = tmp_path / "header.trace.jsonl"
    trace.write_text('{"format": "tamsk-trace", "version": true, "level": true}\n')
    told = refusal(trace)
    assert "version is True" in told
    assert "level is True" in told


def test_a_trace_that_begins_with_an_edge(tmp_path: Path) -> None:
    trace = tmp_path / "headless.trace.jsonl"
    trace.write_text(LIFT + "\n")
    told = refusal(trace)
    assert "unknown key 't'" in told
    assert "format is missing" in told


def test_of_several_traces_the_broken_one_is_named(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.trace.jsonl", tmp_path / "bad.trace.jsonl"
    good.write_text(f"{HEADER}\n{LIFT}\n")
    bad.write_text(f"{HEADER}\n{{}}\n")
    status, out, err = replay(good, str(bad))
    assert status == 2
    assert err == f"tamsk-pi: {bad}: line 2: t is missing\n"
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line for line in lines if "trace" in line] == [{"trace": str(good)}, {"trace": str(bad)}]


def test_several_traces_are_each_preceded_by_their_path(tmp_path: Path) -> None:
    """ "With several traces each one's rulings are preceded by a line, the path as given." """
    paths = [tmp_path / name for name in ("one", "two")]
    for path in paths:
        path.write_text(f"{HEADER}\n{LIFT}\n")
    status, out, err = replay(paths[0], str(paths[1]))
    told = [json.loads(line).get("ruling", json.loads(line).get("trace")) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert told == [str(paths[0]), "ready", "started", str(paths[1]), "ready", "started"]


def test_standard_input() -> None:
    status, out, _ = replay("-", feed=f"{HEADER}\n{LIFT}\n".encode())
    assert status == 0
    assert out.count("\n") == 2
    status, _, err = replay("-", feed=f"{HEADER}\nnot a line\n".encode())
    assert status == 2
    assert err == "tamsk-pi: -: line 2: not JSON\n"


def test_no_trace_named() -> None:
    status, _, err = replay("--json")
    assert status == 2
    assert "TRACE" in err


# -- in a process of its own


def run(*arguments: str, limit_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
    """`tamsk-pi replay`, with no more memory than `limit_bytes` if given."""

    def limit() -> None:
        if limit_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))

    command = [sys.executable, "-c", "from tamsk_pi.cli import main; main(prog_name='tamsk-pi')", "replay", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit, timeout=60)


def test_the_command_itself_leaves_one_line_and_status_2(tmp_path: Path) -> None:
    trace = tmp_path / "broken.trace.jsonl"
    trace.write_text(f"{HEADER}\n{LIFT}\n{{'t': 3}}\n")
    done = run("--json", str(trace))
    assert done.returncode == 2
    assert done.stderr == f"tamsk-pi: {trace}: line 3: not JSON\n"
    assert '"started"' in done.stdout


@pytest.mark.parametrize("where", ["first", "second"])
def test_a_line_of_100_mb_is_refused_without_being_read_whole(tmp_path: Path, where: str) -> None:
    """Bounded memory: with room for a small trace and for nothing like the line, it is refused all the same."""
    trace = tmp_path / "long.trace.jsonl"
    with open(trace, "wb") as stream:
        if where == "second":
            stream.write(HEADER.encode() + b"\n")
        stream.write(b'{"t": ')
        # A hole in the file: 100 MB to read, and nothing to store.
        stream.truncate(100_000_000)
    small = tmp_path / "small.trace.jsonl"
    small.write_text(f"{HEADER}\n{LIFT}\n")
    room = 90_000_000
    assert run(str(small), limit_bytes=room).returncode == 0, "the room is too small even for a small trace"
    done = run(str(trace), limit_bytes=room)
    assert done.returncode == 2
    line = 1 if where == "first" else 2
    assert done.stderr == f"tamsk-pi: {trace}: line {line}: longer than the 65536 bytes that a line may have\n"


def test_a_pipe_that_closes_early_leaves_no_traceback(tmp_path: Path) -> None:
    trace = tmp_path / "good.trace.jsonl"
    trace.write_text(f"{HEADER}\n{LIFT}\n")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", "from tamsk_pi.cli import main; main()", "replay", str(trace)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    os.close(writer)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        (
            '"occupied": ["A1"], "fields": {"A2": "N"}',
            "fields is {'A2': 'N'}; allowed: an object from occupied sockets",
        ),
        ('"occupied": ["A1"], "fields": {"A1": null}', "fields is {'A1': None}; allowed: an object from occupied"),
        ('"holders": {"red": 33}', "holders is {'red': 33}; allowed: an object from red and black to 0 to 32"),
        ('"holders": {"blue": 3}', "holders is {'blue': 3}; allowed: an object from red and black"),
    ],
)
def test_what_a_board_tells_as_it_comes_back_is_checked(keys: str, problem: str) -> None:
    lines = ['{"format": "tamsk-trace", "version": 1, "level": 1}', '{"t": 1, "link": "down"}']
    lines.append(f'{{"t": 2, "link": "up", {keys}}}')
    with pytest.raises(TraceError, match="^" + re.escape(f"line 3: {problem}")):
        list(TraceReader(io.BytesIO("\n".join(lines).encode())))

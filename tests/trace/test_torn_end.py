"""A journal whose writing was cut short: its torn last line is dropped when asked to, and nothing else is."""

from __future__ import annotations

import io

import pytest

from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import End, LinkDown, LinkUp, Record, TraceError, TraceReader, header_line, record_line

SETTINGS = Settings(level=3, red="Ada", black="Łukasz", event="club night ♜")
RECORDS: list[Record] = [
    Edge(100, "socket", "D1", False),
    Edge(400, "tilt", "R2", "b"),
    Edge(700, "socket", "D2", True),
    LinkDown(900),
    LinkUp(1_000, ("A1", "A4"), {"R1": "b"}, {"D2": 1}, holders={"red": 31}),
    End(2_000),
]
LINES = [header_line(SETTINGS).encode(), *(record_line(record, SETTINGS).encode() for record in RECORDS)]
WHOLE = b"".join(LINES)


def read(content: bytes) -> tuple[list[Record], bool]:
    """The records, and whether a torn end was dropped."""
    reader = TraceReader(io.BytesIO(content), drop_torn_end=True)
    assert reader.settings == SETTINGS
    return list(reader), reader.torn


def test_a_whole_journal_is_read_back_as_it_was_written() -> None:
    assert read(WHOLE) == (RECORDS, False)


def test_cut_at_any_byte_the_whole_lines_are_read() -> None:
    """A power cut in mid-write loses the line that was being written, and no more."""
    ends = [sum(map(len, LINES[: n + 1])) for n in range(len(LINES))]
    for size in range(ends[0], len(WHOLE)):
        records, torn = read(WHOLE[:size])
        # A line that lacks its newline alone is torn too: the next one would be written behind it.
        whole = sum(end <= size for end in ends[1:])
        assert records == RECORDS[:whole], size
        assert torn == (size not in ends), size


def test_a_cut_header_is_no_journal() -> None:
    for size in range(len(LINES[0]) - 1):
        with pytest.raises(TraceError, match=r"^line 1: "):
            TraceReader(io.BytesIO(LINES[0][:size]), drop_torn_end=True)


def test_a_header_without_its_newline_is_no_journal_to_go_on_with() -> None:
    """The next record would be written behind it on the same line, and nothing of the file could be read any more."""
    with pytest.raises(TraceError, match=r"^line 1: the header was cut short"):
        TraceReader(io.BytesIO(LINES[0][:-1]), drop_torn_end=True)


def test_a_broken_line_before_the_last_is_not_dropped() -> None:
    """Only the end of a file can be torn by a power cut; anything before it is damage."""
    with pytest.raises(TraceError, match=r"^line 2: not JSON"):
        read(LINES[0] + LINES[1][:20] + b"\n" + LINES[2])


def test_a_broken_last_line_with_its_newline_is_not_dropped() -> None:
    """What has its newline was written whole, so that it was not torn."""
    with pytest.raises(TraceError, match=r"^line 2: not JSON"):
        read(LINES[0] + LINES[1][:20] + b"\n")


def test_a_torn_end_is_an_error_where_nobody_asked_to_drop_it() -> None:
    reader = TraceReader(io.BytesIO(WHOLE[:-3]))
    with pytest.raises(TraceError, match=r"^line 7: not JSON"):
        list(reader)

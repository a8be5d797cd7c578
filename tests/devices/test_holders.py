from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.devices.gpio.holders import CODES, code_of, count_of

COUNTS = range(33)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "ring-holders.md"


def test_one_contact_changes_between_successive_counts() -> None:
    for count in range(32):
        assert (code_of(count) ^ code_of(count + 1)).bit_count() == 1
    assert (CODES[-1] ^ CODES[0]).bit_count() == 1


def test_nothing_plugged_in_is_no_count() -> None:
    assert 0 not in CODES
    assert all(count_of(0, last) is None for last in COUNTS)


def test_a_full_holder_and_an_empty_one_differ() -> None:
    assert code_of(32) != code_of(0)


def test_every_count_has_four_contacts_at_most_and_codes_do_not_repeat() -> None:
    assert len(set(CODES)) == 14
    assert all(0 < code < 16 for code in CODES)


@given(last=st.integers(0, 32), step=st.integers(-6, 6))
def test_up_to_six_rings_at_once_are_followed(last: int, step: int) -> None:
    count = min(max(last + step, 0), 32)
    assert count_of(code_of(count), last) == count


def test_seven_rings_either_way_are_taken_for_seven_fewer() -> None:
    assert count_of(code_of(20), 13) == 6
    assert count_of(code_of(6), 13) == 6


def test_a_count_never_leaves_the_holder() -> None:
    for last in COUNTS:
        for code in CODES:
            count = count_of(code, last)
            assert count is not None
            assert 0 <= count <= 32
            assert code_of(count) == code


@pytest.mark.parametrize("count", [-1, 33])
def test_a_count_that_cannot_be_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="0 to 32"):
        code_of(count)


def test_the_table_in_the_docs_is_the_code() -> None:
    told = re.findall(r"\| (\d+) \| `([01]{4})`", DOCS.read_text(encoding="utf-8"))
    assert {int(count): int(contacts, 2) for count, contacts in told} == dict(enumerate(CODES))

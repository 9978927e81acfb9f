"""Every point that a derivation or an expert's answer supports still has the text that was compared with it."""

from __future__ import annotations

import pytest

from tests.bank.read_points import KINDS, digest, digests_of, read_record, unread

pytestmark = pytest.mark.content

SAYS = "The noise of a mean falls with the square root of the count."


@pytest.mark.parametrize("kind", KINDS)
def test_each_point_was_read_in_its_present_words(kind: str) -> None:
    """After an edit, compare the listed points again, then run `python -m tests.bank.read_points KIND --read`."""
    digests = digests_of(kind)

    assert unread(digests, read_record()[kind]) == []
    assert digests.keys() == read_record()[kind].keys()


def test_a_reworded_point_is_to_be_read_again_and_so_is_a_new_one() -> None:
    read = {"a.noise": digest(SAYS), "a.gone": digest("")}

    assert unread({"a.noise": digest(SAYS)}, read) == []
    assert unread({"a.noise": digest(SAYS.replace("square", "cube")), "a.new": digest(SAYS)}, read) == [
        "a.noise",
        "a.new",
    ]

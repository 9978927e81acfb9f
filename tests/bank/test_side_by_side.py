"""Statements that share terms are listed together, and every such pair in the bank has been read."""

from __future__ import annotations

import tomllib

import pytest

from interviewer.bank.load import load_questions
from tests.bank.side_by_side import NEAR, NEAR_OPPOSED, RECORD, Statement, pairs_of, statements_of, unread
from tests.recorded import whole_bank

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=whole_bank)]

SETTLED = RECORD.with_suffix(".toml")


def test_a_claim_and_its_opposite_in_another_question_are_side_by_side() -> None:
    statements = statements_of(load_questions())
    claims = statements[::50]
    opposites = [Statement("another", "point", claim.id, f"It is not true: {claim.says}") for claim in claims]
    found = {(pair.left, pair.right) for pair in pairs_of([*statements, *opposites])}
    assert set(zip(claims, opposites, strict=True)) <= found


def test_a_point_and_a_misconception_need_fewer_words_in_common_than_two_points() -> None:
    left = Statement("a", "point", "x", "Clipping the ratio bounds the step of one token.")
    right = Statement("b", "point", "y", "Clipping the ratio has no effect without a second epoch.")
    other = Statement("c", "point", "z", "The entropy of one policy collapses without a bonus.")
    wrong = right._replace(kind="misconception")

    # In a bank of three statements, all pairs have few rare words in common.
    assert {left, right} not in [{pair.left, pair.right} for pair in pairs_of([left, right, other], 0.3, 0.05)]
    assert {left, wrong} in [{pair.left, pair.right} for pair in pairs_of([left, wrong, other], 0.3, 0.05)]
    assert NEAR_OPPOSED < 0.24 < NEAR


def test_a_pair_is_read_again_after_either_of_its_statements_has_changed() -> None:
    left = Statement("a", "point", "x", "Clipping bounds the step.")
    right = Statement("b", "point", "y", "Clipping ends it.")
    changed = [
        pair.digest
        for one in (left, left._replace(says="Clipping bounds nothing."))
        for pair in pairs_of([one, right], 0)
    ]
    assert len(set(changed)) == len(changed) == 2


def test_every_pair_was_read() -> None:
    """After an edit, read `python -m tests.bank.side_by_side`, then record it with `--read`."""
    left = unread(pairs_of(statements_of(load_questions())))
    assert not left, "\n".join(
        f"{pair.left.question}.{pair.left.id} | {pair.right.question}.{pair.right.id}" for pair in left
    )


def test_what_readers_found_names_statements_that_exist_and_how_it_was_settled() -> None:
    known = {f"{statement.question}.{statement.id}" for statement in statements_of(load_questions())}
    entries = tomllib.loads(SETTLED.read_text(encoding="utf-8"))["settled"]
    assert entries
    for entry in entries:
        assert set(entry["statements"]) <= known, entry
        assert len(entry["statements"]) >= 2
        assert entry["settled"].startswith(("kept: ", "changed: ")), entry

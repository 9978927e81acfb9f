"""The sample for blind readers covers every kind of text, and the same seed draws the same sentences."""

from __future__ import annotations

import pytest

from tests.english import Sentence, collect, draw, split

pytestmark = pytest.mark.content


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return collect()


def test_every_kind_of_text_is_found(sentences: list[Sentence]) -> None:
    kinds = {sentence.kind for sentence in sentences}
    assert kinds == {
        "answer or point",
        "comment",
        "docstring",
        "document",
        "hint",
        "message",
        "mistake",
        "question",
        "statement",
    }


def test_a_text_is_split_into_sentences_without_its_markdown() -> None:
    text = "# A heading of four words\n- **One** item has four words. See [the other](x.md) page, too.\n- Too short.\n"
    text += "\n```\nno code is read here at all\n```\n\n| no | row | of | a | table |\n"
    assert list(split(text)) == [
        "A heading of four words",
        "One item has four words.",
        "See the other page, too.",
    ]


def test_a_seed_draws_the_same_sentences_and_each_kind_alike(sentences: list[Sentence]) -> None:
    drawn = draw(sentences, 90, seed=3)
    assert drawn == draw(sentences, 90, seed=3) != draw(sentences, 90, seed=4)
    assert {sum(other.kind == sentence.kind for other in drawn) for sentence in drawn} == {10}

"""A reply to a question about a coding task quotes whole sentences of its statement, and nothing else."""

from __future__ import annotations

import json

import pytest

from graders.gate.coverage import sentences_of
from interviewer.chat.model import ChatError, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.examiner.statement import quote_statement
from tasks.load import load_tasks

STATEMENT = """# Whitening

Subtract the mean.

## Rules

- The function does not need to support gradients.
- `mask` is
  true for the tokens that count: the others are ignored.
"""


def quoted_from(*sentences: str, statement: str = STATEMENT) -> tuple[str, ...]:
    model = ScriptedModel(judgements=[json.dumps({"sentences": sentences})])
    return quote_statement(model, statement, "Does it need gradients?")[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "Subtract the mean.",
        "- The function does not need to support gradients.",
        "The function does not need to support gradients",
        "`mask` is true for the tokens that count: the others are ignored.",
    ],
)
def test_a_whole_sentence_is_quoted(sentence: str) -> None:
    assert quoted_from(sentence) == (sentence,)


@pytest.mark.parametrize(
    "sentence",
    [
        "need to support gradients.",
        "The function does not",
        "true for the tokens that count",
        "The function needs gradients.",
        "Subtract the mean. The function",
        "",
    ],
)
def test_a_part_of_a_sentence_or_another_one_is_not(sentence: str) -> None:
    assert quoted_from(sentence) == ()


@pytest.mark.content
def test_nearly_every_sentence_of_the_shipped_statements_can_be_quoted() -> None:
    quoted, total = 0, 0
    for task in load_tasks():
        for sentence in sentences_of(task.statement):
            if 3 <= len(sentence.split()) <= 60:
                total += 1
                quoted += quoted_from(sentence, statement=task.statement) != ()
    assert quoted >= 0.97 * total


def test_a_model_that_fails_is_reported() -> None:
    class Broken(ScriptedModel):
        def complete(self, *arguments: object, **options: object) -> Reply:
            raise ChatError("gone", "Try again.")

    with pytest.raises(ChatError, match="gone"):
        quote_statement(Broken(), STATEMENT, "Does it need gradients?")

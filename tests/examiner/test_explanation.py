"""An explanation of a missed point is shown only if it sticks to the bank's answer."""

from __future__ import annotations

import pytest

from interviewer.chat.model import ModelUnreachable
from interviewer.chat.scripted import ScriptedModel
from interviewer.examiner.explanation import explain_point
from interviewer.session.results import Lesson
from interviewer.session.state import PointRef

LESSON = Lesson(
    PointRef("clipping", "p2"),
    "The minimum makes a pessimistic bound of the surrogate objective.",
    2,
    "Why is there a minimum, with eps of 0.2?",
    "The minimum is below both terms, so it is a pessimistic bound.",
    ("arXiv:1707.06347",),
)
GOOD = "The minimum is below both of the terms, and with eps of 0.2 that makes it a pessimistic bound."


def explained(reply: str) -> tuple[str, ScriptedModel]:
    model = ScriptedModel(judgements=[reply])
    return explain_point(model, LESSON), model


def test_it_is_written_from_the_banks_texts() -> None:
    said, model = explained(f"  {GOOD}\n")
    assert said == GOOD
    prompt = model.requests[0][-1].content
    for text in (LESSON.asked, LESSON.answer, LESSON.says):
        assert text in prompt


@pytest.mark.parametrize(
    "reply",
    [
        "Dropout removes units of the network, and that is what regularizes it.",
        f"{GOOD} In practice, 90 percent of runs need it.",
        f"Great question. {GOOD}",
        GOOD.rstrip("."),
        "The minimum is below both of the terms, so it is a pessimistic",
        "I'm sorry, but I can't explain why the minimum is a pessimistic bound.",
        f"{GOOD} Your score would be higher with this.",
        f"{GOOD} Does that make sense to you?",
        f"{GOOD} See https://example.org for the proof of this.",
        "Das Minimum liegt unter beiden Termen, also pessimistic bound und minimum.",
        GOOD + " And so on and on." * 40,
        "",
    ],
    ids=[
        "other topic",
        "number",
        "praise",
        "no end",
        "half",
        "refusal",
        "score",
        "question",
        "link",
        "foreign",
        "long",
        "empty",
    ],
)
def test_anything_else_is_not_shown(reply: str) -> None:
    assert explained(reply or " ")[0] == ""


def test_a_failure_is_raised() -> None:
    with pytest.raises(ModelUnreachable):
        explain_point(ScriptedModel(judgements=[ModelUnreachable("m: no server.", "Start it.")]), LESSON)

"""A model's summary keeps only what the judged points support; if too little is left, nothing is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from interviewer.chat.model import ModelUnreachable
from interviewer.chat.scripted import ScriptedModel
from interviewer.examiner.summary import checked_summary, has_enough_points, write_summary
from interviewer.session import events
from interviewer.session.assessment import PointState, State
from interviewer.session.question import Point
from interviewer.session.results import Standing, judged_points
from interviewer.session.state import Session, Summary
from tests.session.build import Run, heard, question, started, undecided

SAYS = {
    "p1": "Clipping removes the gradient outside the interval.",
    "p2": "The minimum makes a pessimistic bound of the surrogate objective.",
    "p3": "With 4 epochs, the ratio can leave the interval anyway.",
    "p4": "A token's advantage decides which side is clipped.",
}
NAMED = replace(question(), points=tuple(Point(name, says, ()) for name, says in SAYS.items()))


def finished() -> Session:
    """Return a session in which p1 was shown, p2 was partly shown, and p3 was missed; no question asked for p4."""
    run = Run(replace(started(("question", "clipping"), examiner="llm:x"), questions=(NAMED,)))
    run.answer(heard("p1", partial=("p2",)), "Clipping removes the gradient, with eps of 0.2.")
    run.apply(events.CandidateSaid(run.now, "I do not know, maybe 7."))
    missing = tuple(PointState(name, State.MISSING) for name in SAYS)
    run.apply(events.Assessed(run.now, replace(heard(), judge="llm:x", points=missing)))
    run.apply(events.EndAsked(run.now))
    # The ladder asked rung 2, whose point was shown in part, so p3 is added to that rung.
    rung = replace(NAMED.rungs[1], points=("p2", "p3"))
    asked = replace(NAMED, rungs=(NAMED.rungs[0], rung, *NAMED.rungs[2:]))
    return replace(run.session, questions=(asked,))


CREDITED = {
    "text": "You explained that clipping removes the gradient.",
    "status": "credited",
    "points": ["clipping/p1"],
}
PARTIAL = {
    "text": "You explained only partly why the minimum is a pessimistic bound.",
    "status": "partial",
    "points": ["clipping/p2"],
}
MISSED = {
    "text": "You did not explain how the ratio can leave the interval.",
    "status": "missed",
    "points": ["clipping/p3"],
}
STEPS = [
    {"text": "Derive the pessimistic bound from the minimum of the two terms.", "points": ["clipping/p2"]},
    {"text": "Compute the ratio after 4 epochs on one batch with your own numbers.", "points": ["clipping/p3"]},
    {"text": "Plot how the ratio moves out of the interval in a small run.", "points": ["clipping/p3"]},
]
WHOLE = {"summary": [CREDITED, PARTIAL, MISSED], "plan": STEPS}


def kept(*sentences: dict[str, Any], plan: list[dict[str, Any]] = STEPS) -> list[str]:
    """Return which of these sentences are kept, along with two that always are."""
    reply = json.dumps({"summary": [CREDITED, MISSED, *sentences], "plan": plan})
    return [sentence.text for sentence in checked_summary(reply, finished(), "m").sentences[2:]]


def test_the_points_are_those_that_were_judged() -> None:
    found = {point.ref.id: point.standing for point in judged_points(finished())}
    assert found == {
        "clipping/p1": Standing.CREDITED,
        "clipping/p2": Standing.PARTIAL,
        "clipping/p3": Standing.MISSED,
    }


def test_a_point_that_nobody_could_judge_is_not_missed() -> None:
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    run.answer(heard("p1"))
    run.apply(events.CandidateSaid(run.now, "words"))
    run.apply(events.Assessed(run.now, undecided("p2")))
    run.apply(events.EndAsked(run.now))
    assert [point.ref.point for point in judged_points(run.session)] == ["p1"]


def test_true_sentences_are_kept_with_their_points() -> None:
    summary = checked_summary(json.dumps(WHOLE), finished(), "m")
    assert summary.author == "m"
    assert [sentence.text for sentence in summary.sentences] == [CREDITED["text"], PARTIAL["text"], MISSED["text"]]
    assert [ref.id for sentence in summary.sentences for ref in sentence.points] == [
        "clipping/p1",
        "clipping/p2",
        "clipping/p3",
    ]
    assert [step.text for step in summary.plan] == [step["text"] for step in STEPS]
    assert kept(PARTIAL) == [PARTIAL["text"]]


@pytest.mark.parametrize(
    "sentence",
    [
        CREDITED | {"points": ["clipping/p4"]},
        CREDITED | {"points": ["clipping/p9"]},
        CREDITED | {"points": ["clipping/p1", "clipping/p9"]},
        CREDITED | {"points": []},
        CREDITED | {"points": "clipping/p1"},
        CREDITED | {"status": "missed"},
        CREDITED | {"status": "partial"},
        CREDITED | {"points": ["clipping/p3"]},
        CREDITED | {"points": ["clipping/p3"], "status": "missed"},
        CREDITED | {"points": ["clipping/p2"], "status": "partial"},
        PARTIAL | {"text": "You explained why the minimum is a pessimistic bound."},
        MISSED | {"status": "credited"},
        MISSED | {"points": ["clipping/p1"]},
        MISSED | {"points": ["clipping/p1"], "status": "credited"},
        {"text": "You explained that the ratio can leave the interval.", "status": "missed", "points": ["clipping/p3"]},
        {
            "text": "You did not explain that clipping is what removes it.",
            "status": "credited",
            "points": ["clipping/p1"],
        },
        CREDITED | {"text": "You explained the derivative of the loss and what it is for."},
        CREDITED
        | {"text": "You explained that clipping removes the gradient and that the ratio can leave with 4 epochs."},
        CREDITED | {"text": "You explained that clipping removes the gradient of 90 tokens."},
        CREDITED | {"text": "You gave an excellent answer, and explained that clipping removes the gradient."},
        CREDITED | {"text": "You explained that clipping removes the gradient, which is a score of 4."},
        CREDITED | {"text": "You explained that clipping removes the gradient; you would be hired for that."},
        CREDITED | {"text": "You explained that clipping removes the gradient. See what that is for."},
        CREDITED
        | {"text": "You explained that clipping removes the gradient, as in https://example.org of the paper."},
        CREDITED | {"text": "Du hast erklärt, dass clipping den gradient removes."},
        CREDITED | {"text": "You explained that clipping removes the gradient " + "and so on " * 15},
        CREDITED | {"text": "You explained that clipping follows from Fisher information and Adam momentum."},
        CREDITED | {"text": "You explained that clipping does not remove the gradient."},
        CREDITED | {"text": None},
    ],
    ids=lambda sentence: str([sentence["text"], sentence["status"], sentence["points"]])[:90],
)
def test_a_sentence_that_the_points_do_not_support_is_dropped(sentence: dict[str, Any]) -> None:
    assert kept(sentence) == []


def test_the_points_and_the_answers_lend_their_numbers() -> None:
    own = CREDITED | {"text": "You explained that clipping with eps of 0.2 removes the gradient."}
    assert kept(own) == [own["text"]]


@pytest.mark.parametrize(
    "change",
    [
        {"summary": [CREDITED]},
        {"summary": [CREDITED, CREDITED | {"status": "missed"}]},
        {"plan": STEPS[:2]},
        {"plan": [*STEPS[:2], {"text": "Derive why clipping removes the gradient.", "points": ["clipping/p1"]}]},
        {"plan": [*STEPS[:2], STEPS[0] | {"text": "Leite den pessimistic bound aus dem minimum her."}]},
        {"plan": [*STEPS[:2], STEPS[0] | {"text": "You explained the pessimistic bound, so go on."}]},
        {"plan": [*STEPS[:2], STEPS[0] | {"text": "Derive the pessimistic bound for 12 of the tokens."}]},
        {"plan": None},
        {"summary": "text"},
    ],
    ids=[
        "one sentence",
        "one true sentence",
        "two steps",
        "a known point",
        "foreign",
        "credit",
        "a number",
        "none",
        "text",
    ],
)
def test_with_too_little_left_nothing_is_shown(change: dict[str, Any]) -> None:
    assert checked_summary(json.dumps(WHOLE | change), finished(), "m") == Summary("m")


@pytest.mark.parametrize("reply", ["", "I would say you did well.", "[]", '{"summary": []}'])
def test_a_reply_without_the_object_shows_nothing(reply: str) -> None:
    assert checked_summary(reply, finished(), "m") == Summary("m")


def test_without_an_open_point_there_is_no_plan() -> None:
    run = Run(replace(started(("question", "clipping"), examiner="llm:x"), questions=(NAMED,)))
    run.answer(heard("p1", "p2"), "Clipping removes the gradient.")
    run.apply(events.EndAsked(run.now))
    second = {"text": "You showed that the minimum is a pessimistic bound.", "status": "credited"}
    reply = json.dumps({"summary": [CREDITED, second | {"points": ["clipping/p2"]}], "plan": []})
    assert len(checked_summary(reply, run.session, "m").sentences) == 2


def test_the_model_sees_the_points_and_quotes_but_no_score() -> None:
    model = ScriptedModel(judgements=[json.dumps(WHOLE)])
    session = finished()
    assert len(write_summary(model, session).sentences) == 3
    prompt = model.requests[0][-1].content
    for text in ("clipping/p1 (credited): " + SAYS["p1"], "clipping/p3 (missed): " + SAYS["p3"], "quote of p1"):
        assert text in prompt
    assert "clipping/p4" not in prompt
    fence = prompt.rsplit("</said-", 1)[1][:16]
    assert prompt.index("quote of p1") < prompt.index(f"</said-{fence}>")


def test_a_failure_is_raised_and_few_points_ask_nothing() -> None:
    with pytest.raises(ModelUnreachable):
        write_summary(ScriptedModel(judgements=[ModelUnreachable("m: no server.", "Start it.")]), finished())
    assert has_enough_points(finished())
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    run.apply(events.EndAsked(run.now))
    assert not has_enough_points(run.session)

"""A model's summary keeps only what the judged points support; if too little is left, nothing is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from interviewer.chat.model import ModelUnreachable
from interviewer.chat.scripted import ScriptedModel
from interviewer.examiner.summary import checked_summary, has_enough_points, summary_points, write_summary
from interviewer.session import events
from interviewer.session.assessment import Assessment, CheckResult, PointState, State
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


def by_model(*shown: str, partial: tuple[str, ...] = ()) -> Assessment:
    """Return a model's assessment that shows these points."""
    return replace(heard(*shown, partial=partial), judge="llm:x")


def finished() -> Session:
    """Return a session in which p1 was shown, p2 was partly shown, and p3 was missed; no question asked for p4."""
    run = Run(replace(started(("question", "clipping"), examiner="llm:x"), questions=(NAMED,)))
    run.answer(by_model("p1", partial=("p2",)), "Clipping removes the gradient, with eps of 0.2.")
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


def test_credit_that_only_the_offline_examiner_gave_is_left_out() -> None:
    def points(*assessments: Assessment) -> list[str]:
        run = Run(started(("question", "clipping"), examiner="llm:x"))
        for assessment in assessments:
            run.answer(assessment)
        run.apply(events.EndAsked(run.now))
        assert [point.ref.point for point in judged_points(run.session)][:2] == ["p1", "p2"]
        return [point.ref.point for point in summary_points(run.session) if point.standing is not Standing.MISSED]

    assert points(by_model("p1"), heard("p2")) == ["p1"]
    # A model found only a part of what the offline examiner credited in full.
    assert points(by_model("p1", partial=("p2",)), heard("p2")) == ["p1"]
    assert points(by_model("p1"), heard("p2"), by_model("p2")) == ["p1", "p2"]
    assert points(by_model("p1"), replace(heard("p2"), check=CheckResult.RIGHT)) == ["p1", "p2"]
    sentence = CREDITED | {"text": "You explained that point 1 belongs to clipping."}
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    run.answer(heard("p1", "p2"), "Point 1 of clipping.")
    run.apply(events.EndAsked(run.now))
    assert checked_summary(json.dumps({"summary": [sentence], "plan": []}), run.session, "m").sentences == ()
    assert not has_enough_points(run.session)


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
        CREDITED
        | {"text": "You explained that clipping removes the gradient, and which side a token's advantage decides."},
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
    "step",
    [
        {"text": "Derive why clipping removes the gradient.", "points": ["clipping/p1"]},
        STEPS[0] | {"text": "Leite den pessimistic bound aus dem minimum her."},
        STEPS[0] | {"text": "You explained the pessimistic bound, so go on."},
        STEPS[0] | {"text": "Derive the pessimistic bound for 12 of the tokens."},
    ],
    ids=["a known point", "foreign", "credit", "a number"],
)
def test_a_step_with_a_fault_is_dropped_and_the_others_are_shown(step: dict[str, Any]) -> None:
    summary = checked_summary(json.dumps(WHOLE | {"plan": [*STEPS[:2], step]}), finished(), "m")
    assert [kept_step.text for kept_step in summary.plan] == [kept_step["text"] for kept_step in STEPS[:2]]
    assert len(summary.sentences) == 3


@pytest.mark.parametrize(
    ("change", "sentences", "steps"),
    [
        ({"summary": [CREDITED]}, 1, 3),
        ({"summary": [CREDITED, CREDITED | {"status": "missed"}], "plan": []}, 1, 0),
        ({"summary": "text"}, 0, 3),
        ({"plan": None}, 3, 0),
    ],
)
def test_what_is_left_is_shown(change: dict[str, Any], sentences: int, steps: int) -> None:
    summary = checked_summary(json.dumps(WHOLE | change), finished(), "m")
    assert (len(summary.sentences), len(summary.plan)) == (sentences, steps)


def test_each_dropped_sentence_is_noted_without_its_text() -> None:
    noted: list[tuple[str, str]] = []
    summary = [CREDITED | {"points": ["clipping/p9"]}, MISSED | {"status": "credited"}]
    plan = [STEPS[0] | {"text": "Derive the pessimistic bound for 12 of the tokens."}, *STEPS[1:]]
    reply = json.dumps({"summary": summary, "plan": plan})
    write_summary(ScriptedModel(judgements=[reply]), finished(), note=lambda what, fault: noted.append((what, fault)))
    assert noted == [
        ("summary sentence", "lists a point that was not judged"),
        ("summary sentence", "does not match the results"),
        ("study step", "is not about its points"),
    ]


KL = "GRPO adds beta times the KL to the loss itself, and does not put it in the reward. It has no critic."
NEGATED = {
    "p1": KL,
    "p2": "A good score function has a mean of zero.",
    "p3": "The ratio does not stay in the interval.",
}


def checked_for(text: str, point: str, status: str) -> bool:
    """Return whether a sentence about one of three points, with negations and words of praise, is kept."""
    points = tuple(Point(name, says, ()) for name, says in NEGATED.items())
    run = Run(replace(started(("question", "clipping"), examiner="llm:x"), questions=(replace(NAMED, points=points),)))
    run.answer(by_model("p1", "p2"), "GRPO adds it to the loss.")
    run.apply(events.CandidateSaid(run.now, "I do not know."))
    missing = tuple(PointState(name, State.MISSING) for name in NEGATED)
    run.apply(events.Assessed(run.now, replace(heard(), judge="llm:x", points=missing)))
    run.apply(events.EndAsked(run.now))
    rung = replace(NAMED.rungs[1], points=("p3",))
    asked = replace(NAMED, points=points, rungs=(NAMED.rungs[0], rung, *NAMED.rungs[2:]))
    entry = {"text": text, "points": [f"clipping/{point}"]}
    reply = {"summary": [entry | {"status": status}], "plan": []}
    if status == "step":
        reply = {"summary": [], "plan": [entry]}
    summary = checked_summary(json.dumps(reply), replace(run.session, questions=(asked,)), "m")
    return bool(summary.sentences or summary.plan)


@pytest.mark.parametrize(
    ("text", "point", "status"),
    [
        ("You explained that GRPO adds beta times the KL to the loss.", "p1", "credited"),
        ("You explained that GRPO does not put the KL in the reward.", "p1", "credited"),
        ("You explained that GRPO adds the KL to the loss and does not put it in the reward.", "p1", "credited"),
        ("You explained that a score function has a mean of zero.", "p2", "credited"),
        ("You explained that a good score function has a mean of zero.", "p2", "credited"),
        ("You did not explain why the ratio leaves the interval.", "p3", "missed"),
        ("You did not explain that the ratio does not stay in the interval.", "p3", "missed"),
        ("Compute how far the ratio moves out of the interval.", "p3", "step"),
    ],
)
def test_a_sentence_may_restate_a_part_of_its_point(text: str, point: str, status: str) -> None:
    assert checked_for(text, point, status)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("You explained that GRPO does not add the KL to the loss.", "p1"),
        ("You explained that GRPO puts the KL in the reward.", "p1"),
        ("You explained that GRPO adds beta times the KL to the reward and not to the loss.", "p1"),
        ("You explained that GRPO has a critic.", "p1"),
        ("You explained that the score function does not have a mean of zero.", "p2"),
        ("You explained the score function, so your score has a mean of zero.", "p2"),
        ("You explained brilliantly that the score function has a mean of zero.", "p2"),
    ],
)
def test_a_sentence_that_says_the_opposite_or_grades_is_dropped(text: str, point: str) -> None:
    assert not checked_for(text, point, "credited")


@pytest.mark.parametrize("reply", ["", "I would say you did well.", "[]", '{"summary": []}'])
def test_a_reply_without_the_object_shows_nothing(reply: str) -> None:
    assert checked_summary(reply, finished(), "m") == Summary("m")


def test_without_an_open_point_there_is_no_plan() -> None:
    run = Run(replace(started(("question", "clipping"), examiner="llm:x"), questions=(NAMED,)))
    run.answer(by_model("p1", "p2"), "Clipping removes the gradient.")
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

"""A debrief leads with results, keeps figures and instructions to the judge in its notes, and says who judged what."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from graders.verdict import Verdict
from interviewer.bank.load import load_questions
from interviewer.session import events, phrases
from interviewer.session.assessment import PHRASINGS_ONLY, Assessment, Calibration, CheckResult
from interviewer.session.debrief import debrief
from interviewer.session.question import Point
from interviewer.session.results import (
    Standing,
    judged_points,
    missed_points,
    model_sentence,
    practice_items,
    question_result,
    split_instruction,
)
from interviewer.session.scoring import reported_depth
from interviewer.session.state import SKIPPED
from tests.session.build import Run, heard, report, started, undecided

CALIBRATION = Calibration("offline", "1", "1", 0.0, 208, 0.61, 0.02, 0.19)


def body_and_notes(text: str) -> tuple[str, str]:
    body, _, notes = text.partition("## Notes")
    return body, notes


@pytest.mark.parametrize(
    ("says", "sentence", "for_judge"),
    [
        ("The ratio is one. Either half is enough.", "The ratio is one.", "Either half is enough."),
        ("A is 0.5. Either 0.861 or the limit is enough.", "A is 0.5.", "Either 0.861 or the limit is enough."),
        ("One of these is enough: the limit, or stitching.", "The limit, or stitching.", "One of these is enough."),
        ("The critic regresses; that is enough. It is clipped.", "The critic regresses. It is clipped.", "The first"),
        ("It scales (the factor is enough). RLOO helps.", "It scales. RLOO helps.", "The factor is enough."),
        ("The size is 3. The size is enough. Syncing is a bonus.", "The size is 3.", "The size is enough. Syncing is"),
        ("Signs (one with its direction is enough): a, b.", "Signs: a, b.", "One with its direction is enough."),
        ("It decays as 0.006 (saying this is enough). Use 1.", "It decays as 0.006. Use 1.", "Saying this is enough."),
        ("Naming one of these is enough: a loss, a bias.", "A loss, a bias.", "Naming one of these is enough."),
        ("It runs back. Getting either end is enough: last first, or reduce first.", "It runs back.", "Getting either"),
        ("It alternates. The residue, with an example, is enough on its own.", "It alternates.", "The residue"),
        ("It is hidden. The overlap or the scaling suffices.", "It is hidden.", "The overlap or the scaling suffices."),
        ("Profile. Profiling, or the causes, is sufficient.", "Profile.", "Profiling, or the causes, is sufficient."),
        ("It costs 34%. The numbers are not required.", "It costs 34%.", "The numbers are not required."),
        ("The noise is added (Gaussian is good enough).", "The noise is added (Gaussian is good enough).", ""),
        ("It is a sufficient statistic.", "It is a sufficient statistic.", ""),
        ("The setting is concrete enough to repeat.", "The setting is concrete enough to repeat.", ""),
        ("A bandit is enough if nothing comes later.", "A bandit is enough if nothing comes later.", ""),
        (
            "Use R2; close to on-policy, R2 is enough; else R3.",
            "Use R2; close to on-policy, R2 is enough; else R3.",
            "",
        ),
        ("Either is enough.", "Either is enough.", ""),
    ],
)
def test_an_instruction_to_the_judge_is_split_from_the_model_answer(says: str, sentence: str, for_judge: str) -> None:
    split = model_sentence(Point("p", says, ()))
    assert split.says == sentence
    assert split.for_judge.startswith(for_judge)
    assert bool(split.for_judge) is bool(for_judge)


# What is left of "enough" is about the subject, for example "a bandit is enough if nothing comes later".
INSTRUCTION = re.compile(r"\b(?:is|are) (?:enough|sufficient|not required|optional)\b(?! if\b)|\bsuffices?\.")


def test_no_point_of_the_bank_tells_the_judge_something_in_its_statement() -> None:
    points = [point for question in load_questions() for point in question.points]
    assert sum(bool(point.enough) for point in points) >= 300
    for point in points:
        assert len(point.says) >= 20, point.id
        assert not split_instruction(point.says).for_judge, point.id
        assert not INSTRUCTION.search(point.says), point.id
        assert (point.says, point.enough) == (model_sentence(point).says, model_sentence(point).for_judge)


@pytest.mark.parametrize(
    ("says", "enough"),
    [("The ratio is one. It drifts.", "Either half is enough."), ("It is one. Either is enough.", "")],
)
def test_how_much_is_enough_stands_in_a_note_of_the_debrief(says: str, enough: str) -> None:
    start = started(("question", "clipping"))
    asked = start.questions[0]
    point = replace(asked.points[0], says=says, enough=enough)
    run = Run(replace(start, questions=(replace(asked, points=(point, *asked.points[1:])),)))
    run.answer(heard("p1"))
    body, notes = body_and_notes(debrief(run.session))
    assert says.partition(". ")[0] in body
    assert "enough." not in body
    assert f"The rubric tells the judge: {enough or 'Either is enough.'}" in notes


def test_figures_stand_in_a_note_and_results_and_practice_come_first() -> None:
    run = Run(replace(started(("question", "clipping")), calibrations=(CALIBRATION,)))
    run.answer(heard("p1"))
    while not run.session.is_over and not run.session.drill.is_over:
        run.answer(heard())
    body, notes = body_and_notes(debrief(run.session))
    assert "Judged by: offline examiner (note 1)." in body
    assert "kappa" not in body
    assert "1. offline examiner (compares wording): calibrated: point-level kappa 0.61 on 208 gold answers" in notes
    assert "- **clipping**: got to 1 of 4; stopped at “clipping rung 2?”" in body.splitlines()
    headings = [line for line in body.splitlines() if line.startswith("## ")]
    assert headings[:3] == ["## What you missed", "## Practice next", "## clipping"]
    missed = body.partition("## What you missed")[2].partition("## ")[0]
    assert "- Point 2 of clipping." in missed.splitlines()
    assert "Point 1" not in missed
    assert "Point 4" not in missed, "rung 4 was never asked"


def test_every_answer_says_who_judged_it_and_a_fallback_is_called_one() -> None:
    run = Run(started(("question", "clipping"), examiner="llm:openai/x"))
    by_model = replace(heard("p1"), judge="llm:openai/x")
    run.answer(by_model, text="by the model")
    run.answer(heard("p2"), text="by the fallback")
    run.answer(Assessment("llm:openai/x", False, why_not="no answer came"), text="by nobody")
    run.answer(replace(heard("p3"), check=CheckResult.RIGHT), text="a number")
    run.apply(events.EndAsked(run.now))
    lines = debrief(run.session).splitlines()
    assert "1 of 60 minutes. Judged by: openai/x; offline examiner, as a fallback (note 1)." in lines
    told = {
        line.partition("“")[2].partition("”")[0]: line.partition("” ")[2] for line in lines if "judged" in line.lower()
    }
    assert told["by the model"] == "Judged by: openai/x."
    assert told["by the fallback"] == "Judged by: offline examiner, as a fallback."
    assert told["by nobody"] == "Not judged: no answer came."
    assert told["a number"] == "Result checked by code; the rest judged by: offline examiner, as a fallback."


@pytest.mark.parametrize("reply", ["It breaks in the queue.", ""])
def test_the_text_of_an_improvised_question_is_kept(reply: str) -> None:
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    run.improvise("What does scale[0, 0] do at 10x?")
    run.apply(events.CandidateSaid(run.now + 9, reply) if reply else events.EndAsked(run.now + 9))
    text = debrief(run.session)
    told = f"“{reply}” Not judged: asked beyond the ladder" if reply else "Not answered."
    assert f"- Improvised question: What does scale[0, 0] do at 10x?{':' * bool(reply)} {told}" in text


def test_a_session_of_code_alone_shows_no_examiner() -> None:
    run = Run(replace(started(("task", "ppo_clip_loss")), calibrations=(CALIBRATION,)))
    run.submit(report(Verdict.WRONG_VALUE))
    run.apply(events.EndAsked(run.now))
    text = debrief(run.session)
    assert "- **PPO loss**: wrong value, 1 of 2 cases passed, 1 submission." in text
    for word in ("xaminer", "kappa", "udged", "Heard", "## Notes"):
        assert word not in text


def test_practice_leads_with_what_failed_most_and_leaves_out_what_held() -> None:
    names = ("clipping", "entropy", "skipped", "held")
    run = Run(started(*(("question", name) for name in names), ("task", "ppo_clip_loss"), minutes=600))
    answers = {"clipping": ("p1", "p2"), "entropy": (), "held": ("p1", "p2", "p3", "p4")}
    for name in names:
        if name == "skipped":
            run.apply(events.SkipAsked(run.now + 1))
            continue
        drills = len(run.session.drills)
        while len(run.session.drills) == drills and not run.session.drill.is_over:
            run.answer(heard(*answers[name]))
        run.apply(events.SelfMarked(run.now, ()))
    run.submit(report(Verdict.WRONG_VALUE))
    run.apply(events.EndAsked(run.now))
    items = practice_items([run.session])
    assert [item.id for item in items] == ["entropy", "clipping", "ppo_clip_loss"]
    assert [item.held for item in items] == sorted(item.held for item in items)
    assert items[0].start_command == "interviewer interview --question entropy"
    assert items[2].start_command == "interviewer challenge ppo_clip_loss"
    assert "ppo_clip_loss" not in {item.id for item in practice_items([run.session], {"ppo_clip_loss"})}


def test_what_held_the_last_time_is_not_practiced_again() -> None:
    def session_of(*shown: str) -> Run:
        run = Run(started(("question", "clipping")))
        while not run.session.drill.is_over:
            run.answer(heard(*shown))
        return run

    failed, held = session_of().session, session_of("p1", "p2", "p3", "p4").session
    assert [item.id for item in practice_items([held, failed])] == ["clipping"]
    assert practice_items([failed, held]) == []
    not_answered = Run(started(("question", "clipping"))).session
    assert [item.id for item in practice_items([failed, not_answered])] == ["clipping"]


def test_where_it_broke_is_named_although_the_rest_was_skipped() -> None:
    run = Run(started(("question", "clipping")))
    run.answer(heard("p1"))
    for _ in range(2):
        run.answer(heard())
    run.apply(events.SkipAsked(run.now))
    assert "stopped at" in question_result(run.session, run.session.drills[0])


def test_a_session_that_was_ended_with_nothing_heard_leaves_something_to_practice() -> None:
    run = Run(started(("question", "clipping")))
    run.answer(heard(flags=("does_not_know",)), text="no idea")
    run.apply(events.EndAsked(run.now))
    assert [item.id for item in practice_items([run.session])] == ["clipping"]


def test_skipping_after_a_failed_answer_gets_no_deeper_than_failing() -> None:
    def after(answers: int) -> Run:
        run = Run(started(("question", "clipping")))
        while not run.session.drill.is_over and len(run.session.drill.answers) < answers:
            run.answer(heard())
        if not run.session.drill.is_over:
            run.apply(events.SkipAsked(run.now))
        return run

    failed = after(10).session.drills[0]
    for answers in range(2, len(failed.answers)):
        skipped = after(answers).session
        drill = skipped.drills[0]
        assert drill.left_why == SKIPPED
        reached = [reported_depth(skipped.question("clipping"), each) for each in (drill, failed)]
        assert reached[0] is not None
        assert reached[1] is not None
        assert round(reached[0].mean) <= round(reached[1].mean)
        assert question_result(skipped, drill).endswith("; you skipped the rest")
        assert "A point that was not heard here" in debrief(skipped)


def test_what_was_never_started_is_practiced_last() -> None:
    run = Run(started(("question", "clipping"), ("question", "entropy"), minutes=600))
    run.apply(events.SkipAsked(run.now))
    run.answer(heard())
    run.apply(events.SkipAsked(run.now))
    run.apply(events.EndAsked(run.now))
    items = practice_items([run.session])
    assert [(item.id, item.was_failed, item.held) for item in items] == [("entropy", False, 0), ("clipping", False, 0)]
    assert items[1].title < items[0].title


def test_a_point_that_a_model_found_contradicted_counts_as_missed_until_its_check_is_answered_correctly() -> None:
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    run.answer(replace(heard(contradicted=("p3",)), judge="llm:x"))
    run.apply(events.SkipAsked(run.now))
    session = run.session
    question, drill = session.question("clipping"), session.drills[0]
    assert missed_points(question, drill) == ["p3"]
    assert [point.ref.point for point in judged_points(session) if point.standing is Standing.MISSED] == ["p3"]
    assert question.point("p3").says in debrief(session)

    rung = next(number for number, rung in enumerate(question.rungs, 1) if "p3" in rung.points)
    right = replace(drill.answers[0], rung=rung, assessment=replace(heard(), check=CheckResult.RIGHT))
    assert missed_points(question, replace(drill, answers=(*drill.answers, right))) == []


@pytest.mark.parametrize(
    ("leave", "said"), [(events.SkipAsked, "you skipped the rest"), (events.EndAsked, "you ended the session")]
)
def test_where_somebody_left_a_question_is_named(leave: type[events.SkipAsked | events.EndAsked], said: str) -> None:
    run = Run(started(("question", "clipping")))
    run.answer(heard("p1"))
    rung = run.session.drill.rung
    asked = run.session.question("clipping").rungs[rung - 1].ask
    run.apply(leave(run.now))
    assert question_result(run.session, run.session.drills[0]).endswith(f"; {said} at “{asked}”")


def test_what_the_offline_examiner_takes_for_a_contradiction_is_not_missed_before_its_rung_is_asked() -> None:
    run = Run(started(("question", "clipping")))
    run.answer(heard(contradicted=("p3",)))
    run.apply(events.SkipAsked(run.now))
    session = run.session
    assert missed_points(session.question("clipping"), session.drills[0]) == []
    assert [point for point in judged_points(session) if point.standing is Standing.MISSED] == []


@pytest.mark.parametrize(
    ("follow_up", "told"),
    [
        (Assessment("offline", is_graded=False, why_not="not understood"), "could not be judged"),
        (heard(), "You did not pass a later rung."),
        (None, "There was no follow-up."),
    ],
)
def test_what_followed_a_recited_answer_is_told_as_it_was(follow_up: Assessment | None, told: str) -> None:
    run = Run(started(("question", "clipping"), numbers_at=3))
    run.answer(heard())
    run.answer(heard("p1", flags=("recited",)))
    if follow_up is not None:
        run.answer(follow_up)
        run.answer(follow_up)
    run.apply(events.SkipAsked(run.now))
    assert told in debrief(run.session)


def test_a_point_on_which_votes_disagree_is_not_called_missed() -> None:
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    while run.session.answered is not None and not run.session.is_over:
        run.answer(undecided("p1", "p2", "p3", "p4"))
    assert "What you missed" not in debrief(run.session)


def test_a_doubt_without_a_reply_is_told_as_one() -> None:
    run = Run(started(("question", "clipping")))
    run.answer(heard("p1", "p2", "p3", "p4"))
    assert run.session.drill.doubts
    run.apply(events.SkipAsked(run.now + 1))
    assert "you did not reply." in debrief(run.session)


@pytest.mark.parametrize("leave", [events.SkipAsked, events.EndAsked])
def test_leaving_after_the_last_rung_is_not_called_stopping(leave: type[events.SkipAsked | events.EndAsked]) -> None:
    run = Run(started(("question", "clipping"), examiner="llm:x"))
    run.improvise("What breaks on 64 nodes?")
    run.apply(leave(run.now + 1))
    assert question_result(run.session, run.session.drills[0]).endswith("you passed the last rung")


def test_ending_while_points_are_marked_is_not_called_stopping() -> None:
    run = Run(started(("question", "clipping")))
    move = run.answer(heard())
    while move is not None:
        move = run.answer(heard(f"p{run.session.drill.rung}", flags=("stands",)))
    run.apply(events.EndAsked(run.now + 1))
    assert question_result(run.session, run.session.drills[0]).endswith("you passed the last rung")


def test_figures_of_the_matcher_are_not_claimed_for_answers_judged_without_it() -> None:
    run = Run(started(("question", "clipping")))
    run.answer(heard(flags=(PHRASINGS_ONLY,)))
    run.answer(heard())
    run.apply(events.EndAsked(run.now + 1))
    assert phrases.figures_do_not_hold(1) in debrief(run.session)


def test_the_reply_to_a_doubt_is_found_although_a_task_has_the_id_of_the_question() -> None:
    run = Run(started(("task", "clipping"), ("question", "clipping")))
    run.apply(events.SkipAsked(run.now + 1))
    run.answer(heard("p1", "p2", "p3", "p4"))
    run.answer(heard(), "Well, maybe.")
    assert "your reply left it open." in debrief(run.session)

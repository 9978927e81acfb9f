"""After an interview, a missed point can be explained and asked again; both are logged, and nothing is scored."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from interviewer.chat.model import ChatError, ModelUnreachable
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap
from interviewer.config import Settings, find_folders
from interviewer.errors import journal
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import load_session
from interviewer.interview.teaching import Teacher
from interviewer.log.history import read_history
from interviewer.log.reports.html import html_report
from interviewer.log.schedule import reviews_of
from interviewer.log.transcript import transcript_lines
from interviewer.session.assessment import State
from interviewer.session.debrief import debrief
from interviewer.session.results import open_lessons, question_result
from interviewer.session.state import Session
from tests.interview.test_runner import finds
from tests.interview.test_spend_cap import Priced
from tests.interview.test_summaries import logged, use
from tests.session.build import question

TEXT = "It is point 3 of the clipping, and the question is about what it is for."
QUOTE = "one sample pays nothing more than the border"


@pytest.fixture
def context() -> Iterator[AppContext]:
    context = AppContext(Settings(), find_folders(), environ={})
    context.questions = (question("clipping"),)
    context.calibrations = ()
    yield context
    context.close()


def results_of(session: Session) -> tuple[object, ...]:
    """Return everything that counts as a result."""
    return session.drills, session.works, session.transcript, question_result(session, session.drills[0])


def test_the_lessons_are_the_open_points_with_their_first_rung(context: AppContext) -> None:
    session = logged(context.log)
    assert [(lesson.ref.point, lesson.rung, lesson.asked) for lesson in open_lessons(session)] == [
        ("p3", 3, "clipping rung 3?")
    ]


def test_an_explanation_is_logged_and_not_paid_for_twice(context: AppContext) -> None:
    session = logged(context.log)
    (lesson,) = open_lessons(session)
    model = ScriptedModel(judgements=[TEXT])
    teacher = use(context, model)
    first = teacher.explain(session, lesson)
    assert first is not None
    assert (first.author, first.text) == ("scripted", TEXT)
    assert teacher.explain(session, lesson) == first
    assert len(model.requests) == 1
    again = load_session(context.log, "s1")
    assert again.explanations == (first,)
    assert results_of(again) == results_of(session)
    assert f"Explained by scripted: \n  {TEXT}" in debrief(again)
    assert f"explained by scripted: {TEXT}" in "\n".join(transcript_lines(context.log.whole("s1")))


def test_without_a_usable_explanation_nothing_is_logged(context: AppContext) -> None:
    session = logged(context.log)
    (lesson,) = open_lessons(session)
    assert use(context, None).explain(session, lesson) is None
    assert use(context, ScriptedModel(judgements=["Great question!"])).explain(session, lesson) is None
    assert journal.records()[0].message.startswith("scripted: its explanation breaks a rule")
    with pytest.raises(ChatError):
        use(context, ScriptedModel(judgements=[ModelUnreachable("m: no server.", "")])).explain(session, lesson)
    priced = Priced(judgements=[TEXT, TEXT])
    teacher = use(context, priced, Cap(usd=0.05))
    context.log.save_payment("s1", json.dumps({"used": {"calls": 1, "cost_usd": 0.1}, "months": {}, "replies": {}}))
    assert teacher.explain(session, lesson) is None
    assert priced.requests == []
    assert context.log.afterwards("s1") == []


def test_a_second_try_is_judged_and_changes_no_result(context: AppContext) -> None:
    session = logged(context.log)
    (lesson,) = open_lessons(session)
    before = read_history(context.log, lambda text: text)
    teacher = use(context, ScriptedModel(judgements=[finds("p3", QUOTE)]))
    attempt = teacher.try_again(session, lesson, f"Because {QUOTE}.")
    assert attempt.assessment.judge == "llm:scripted"
    assert attempt.assessment.state_of("p3") is State.SHOWN
    again = load_session(context.log, "s1")
    assert again.practice == (attempt,)
    assert results_of(again) == results_of(session)
    after = read_history(context.log, lambda text: text)
    assert [past.depth for past in after.drills()] == [past.depth for past in before.drills()]
    assert reviews_of(after) == reviews_of(before)
    page = html_report(after, (), (), "Practice", 0.0)
    assert "Practice after the interview (not scored):" in page
    assert f"Because {QUOTE}." in page
    shown = debrief(again)
    assert "## After the interview\n\nPractice, not scored: none of this changes a result." in shown
    assert f"“{QUOTE}”" in shown
    assert "Practice, not scored: clipping rung 3. You: Because" in "\n".join(transcript_lines(context.log.whole("s1")))


def test_the_offline_examiner_judges_what_it_judged_before(context: AppContext) -> None:
    session = logged(context.log, "offline")
    lesson = open_lessons(session)[0]
    model = ScriptedModel()
    attempt = use(context, model).try_again(session, lesson, "It is word3, because a sample pays nothing more.")
    assert attempt.assessment.judge == "offline"
    assert attempt.assessment.state_of("p3") is State.SHOWN
    assert model.requests == []


def test_a_failing_model_or_a_cap_leaves_the_offline_examiner(context: AppContext) -> None:
    session = logged(context.log)
    lesson = open_lessons(session)[0]
    down = ModelUnreachable("m: no server.", "Start it.")
    attempt = use(context, ScriptedModel(judgements=[down])).try_again(session, lesson, "It is about word3.")
    assert attempt.assessment.judge == "offline"
    context.log.save_payment("s1", json.dumps({"used": {"calls": 1, "cost_usd": 0.1}, "months": {}, "replies": {}}))
    priced = Priced(judgements=[finds("p3", QUOTE)])
    capped = use(context, priced, Cap(usd=0.05)).try_again(session, lesson, "It is about word3.")
    assert (capped.assessment.judge, priced.requests) == ("offline", [])


def test_an_answer_that_was_left_is_not_logged(context: AppContext) -> None:
    session = logged(context.log)
    use(context, ScriptedModel()).try_again(session, open_lessons(session)[0], "Words about it.", lambda: True)
    assert context.log.afterwards("s1") == []


def test_a_refreshed_session_has_what_was_logged_since(context: AppContext) -> None:
    session = logged(context.log)
    teacher: Teacher = use(context, ScriptedModel(judgements=[TEXT]))
    teacher.explain(session, open_lessons(session)[0])
    once = teacher.refreshed(session)
    assert len(once.explanations) == 1
    assert teacher.refreshed(once).explanations == once.explanations

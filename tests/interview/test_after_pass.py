"""After a pass, the model asks about a line of the code; the answer is logged, and the reports say "not scored"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graders.verdict import Verdict
from interviewer.chat.model import ChatError, ModelUnreachable, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.log.history import History
from interviewer.log.reports.html import html_report
from interviewer.log.transcript import transcript_lines
from interviewer.session import phrases
from interviewer.session.debrief import debrief
from interviewer.session.engine import fold
from interviewer.session.move import MoveKind
from interviewer.session.state import OFFLINE, Awaiting
from tests.fakes import FakeGrader, RecordingFrontend, make_interview
from tests.interview.test_spend_cap import Priced
from tests.session.build import brief, report

CODE = ("task", "ppo_clip_loss")
ONE = ("question", "clipping")
SOURCE = "def f():\n    return [x for x in range(10)]\n"
LINE = "return [x for x in range(10)]"
ASK = "What does this line cost if the range is a million times as long?"
REPLY = json.dumps({"line": LINE, "question": ASK})
MARKED = "Asked after you passed (not scored): "


def passed(folder: Path, model: ScriptedModel | None) -> tuple[Interview, RecordingFrontend]:
    """Return an interview whose only task has passed, with what it has said so far."""
    participants = Participants(
        examiner=LLMExaminer(model) if model else OfflineExaminer(),
        offline=OfflineExaminer(),
        voice=model,
    )
    interview = make_interview(folder, CODE, ONE, grader=FakeGrader(report()), participants=participants)
    front = RecordingFrontend()
    interview.run_until_input(front)
    interview.submit(SOURCE)
    interview.run_until_input(front)
    return interview, front


def test_the_question_is_about_a_line_of_the_submission(tmp_path: Path) -> None:
    model = ScriptedModel(judgements=[REPLY])
    interview, front = passed(tmp_path, model)
    told = f"Passed: 2 of 2 cases passed.\n\n{phrases.AFTER_PASS_LEAD}\n\nAbout this line: “{LINE}”\n\n{ASK}"
    assert interview.session.transcript[-1].text == told
    assert told in front.words
    assert SOURCE in model.requests[-1][-1].content
    assert interview.session.awaiting is Awaiting.SUBMISSION
    assert fold(interview._log.events(interview.session.id)) == interview.session


def test_the_answer_is_acknowledged_and_never_judged(tmp_path: Path) -> None:
    model = ScriptedModel(judgements=[REPLY])
    interview, front = passed(tmp_path, model)
    calls = len(model.requests)
    interview.answer("It is linear.")
    interview.run_until_input(front)
    assert phrases.AFTER_PASS_NOTED in front.words
    assert interview.session.part == 1
    assert not any(message.content.count("It is linear.") for message in model.requests[calls - 1])
    history = interview._log.events(interview.session.id)
    assert "Assessed" not in {type(event).__name__ for event in history}
    shown = debrief(interview.session)
    assert f"{MARKED}About this line: “{LINE}” {ASK} “It is linear.”" in shown
    page = html_report(History((interview.session,), ()), (), (), "Practice", 0.0)
    for text in (MARKED, ASK, "It is linear."):
        assert text in page
    transcript = "\n".join(transcript_lines(history))
    assert "One unscored question about your code:" in transcript


def test_a_question_about_it_is_answered_once(tmp_path: Path) -> None:
    interview, front = passed(tmp_path, ScriptedModel(judgements=[REPLY, json.dumps({"sentences": []})]))
    interview.answer("What do you mean by cost, time or memory?")
    interview.run_until_input(front)
    assert interview.session.transcript[-1].move is MoveKind.EXPLAIN
    assert interview.session.transcript[-1].text.endswith(ASK)
    interview.answer("What else? It is linear.")
    interview.run_until_input(front)
    assert interview.session.part == 1
    assert f"{ASK} “What else? It is linear.”" in debrief(interview.session)


def test_it_can_be_skipped_and_the_report_says_so(tmp_path: Path) -> None:
    interview, front = passed(tmp_path, ScriptedModel(judgements=[REPLY]))
    interview.skip()
    interview.run_until_input(front)
    assert interview.session.part == 1
    assert f"{ASK} Not answered." in debrief(interview.session)


def test_the_wait_for_the_model_is_not_session_time(tmp_path: Path) -> None:
    now = [2000.0]

    class Slow(ScriptedModel):
        def complete(self, *arguments: object, **options: object) -> Reply:
            now[0] += 500.0
            return super().complete(*arguments, **options)  # type: ignore[arg-type]

    slow = Participants(
        examiner=LLMExaminer(Slow(judgements=[REPLY])),
        offline=OfflineExaminer(),
        voice=Slow(judgements=[REPLY]),
    )
    waiting = make_interview(tmp_path, CODE, ONE, grader=FakeGrader(report()), participants=slow)
    waiting._clock = lambda: now[0]
    front = RecordingFrontend()
    waiting.run_until_input(front)
    before = waiting.session.elapsed_seconds
    waiting.submit(SOURCE)
    waiting.run_until_input(front)
    assert ASK in waiting.session.transcript[-1].text
    assert waiting.session.elapsed_seconds == before
    now[0] += 30.0
    waiting.answer("It is linear.")
    assert waiting.session.elapsed_seconds == before + 30.0


@pytest.mark.parametrize(
    "reply",
    [json.dumps({"line": "return 1", "question": ASK}), ModelUnreachable("m: no server answers.", "Start it.")],
    ids=["no such line", "down"],
)
def test_without_a_usable_question_the_tasks_own_is_asked(tmp_path: Path, reply: str | ChatError) -> None:
    interview, front = passed(tmp_path, ScriptedModel(judgements=[reply]))
    said = interview.session.transcript[-1].text
    assert said.endswith(f"{phrases.AFTER_PASS_LEAD}\n\n{phrases.after_pass(brief())}")
    assert any("no server answers" in notice for notice in front.notices) == isinstance(reply, ChatError)


def test_offline_the_tasks_own_question_is_asked(tmp_path: Path) -> None:
    interview, _ = passed(tmp_path, None)
    assert interview.session.transcript[-1].text.endswith(phrases.after_pass(brief()))


def test_a_cap_that_is_reached_leaves_the_tasks_own_question(tmp_path: Path) -> None:
    model = Priced(judgements=[REPLY])
    participants = Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model, cap=Cap(usd=0.05))
    interview = make_interview(tmp_path, CODE, ONE, grader=FakeGrader(report()), participants=participants)
    front = RecordingFrontend()
    interview.run_until_input(front)
    model.requests.append(())
    interview.submit(SOURCE)
    interview.run_until_input(front)
    assert interview.session.examiner == OFFLINE
    assert len(model.requests) == 1
    assert interview.session.transcript[-1].text.endswith(phrases.after_pass(brief()))


def test_a_failing_submission_is_not_asked_about_this_way(tmp_path: Path) -> None:
    model = ScriptedModel(judgements=[REPLY])
    participants = Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model)
    grader = FakeGrader(report(), report(Verdict.WRONG_VALUE, "max_for_min"))
    interview, front = (
        make_interview(tmp_path, CODE, ONE, grader=grader, participants=participants),
        RecordingFrontend(),
    )
    interview.run_until_input(front)
    interview.submit(SOURCE)
    interview.run_until_input(front)
    calls = len(model.requests)
    interview.submit(SOURCE)
    interview.run_until_input(front)
    assert len(model.requests) == calls
    assert interview.session.transcript[-1].move is MoveKind.VERDICT

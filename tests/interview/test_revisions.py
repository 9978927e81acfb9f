"""Retractions and appeals outside the screens: the runner's order of writes, plain mode, and every report."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.cli.plain.interview import run_plain_interview
from interviewer.examiner.examiner import NOTHING_SAID, Conversation
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.observer_client import describe_event
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import resume_session
from interviewer.log.history import drills_of, read_history
from interviewer.log.progress import search
from interviewer.log.reports.html import drill_section
from interviewer.log.reports.jsonl import export_lines, import_recording, read_lines
from interviewer.log.store import PracticeLog
from interviewer.log.transcript import transcript_lines
from interviewer.session.assessment import Assessment
from interviewer.session.engine import InvalidTransition, fold
from interviewer.session.events import AnswerTakenBack, Appealed, CandidateSaid
from interviewer.session.question import Question
from interviewer.session.state import Awaiting
from tests.fakes import FakeGrader, RecordingFrontend, make_interview, offline_participants

ONE = ("question", "clipping")


class JudgeThatWaits(OfflineExaminer):
    """A model that judges until it is stopped."""

    name = "llm:waits"

    def __init__(self) -> None:
        self.has_begun = threading.Event()

    def assess(
        self,
        question: Question,
        asked: str,
        answer: str,
        is_cancelled: Callable[[], bool] = lambda: False,
        conversation: Conversation = NOTHING_SAID,
    ) -> Assessment:
        self.has_begun.set()
        pause = threading.Event()
        while not is_cancelled():
            pause.wait(0.01)
        return Assessment(self.name, is_graded=False, why_not="stopped")


def test_taking_back_stops_the_judge_and_lets_nothing_else_judge(tmp_path: Path) -> None:
    judge, front = JudgeThatWaits(), RecordingFrontend()
    interview = make_interview(tmp_path, ONE, participants=Participants(examiner=judge, offline=OfflineExaminer()))
    interview.run_until_input(front)
    interview.answer("word1 early")
    driver = threading.Thread(target=interview.run_until_input, args=(front,))
    driver.start()
    assert judge.has_begun.wait(30)
    interview.take_back("word1 early")
    driver.join(30)
    assert not driver.is_alive()
    assert interview.session.awaiting is Awaiting.ANSWER
    assert interview.session.drill.answers == ()
    assert front.notices == []
    written = interview._log.events(interview.session.id)
    assert [type(event) for event in written[-2:]] == [CandidateSaid, AnswerTakenBack]
    assert fold(written) == interview.session


def test_a_kill_while_taking_back_loses_nothing(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    interview.run_until_input(RecordingFrontend())
    interview.answer("word1 early")
    at_kill: list[str] = []

    def killed(session: str, slot: str, text: str) -> None:
        PracticeLog.save_draft(interview._log, session, slot, text)
        at_kill.append(text)
        raise KeyboardInterrupt

    interview._log.save_draft = killed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        interview.take_back("word1 early")
    log = PracticeLog(tmp_path / "log.db")
    again = Interview(log, resume_session(log, interview.session.id), offline_participants(), FakeGrader())
    # Not retracted yet, so it is judged, and the box does not show it a second time.
    assert at_kill == ["word1 early"]
    assert again.session.awaiting is Awaiting.ASSESSMENT
    assert again.draft("answer") == ""


def test_an_answer_that_stands_is_not_taken_back(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    interview.run_until_input(RecordingFrontend())
    before = interview._log.events(interview.session.id)
    with pytest.raises(InvalidTransition):
        interview.take_back("")
    assert interview._log.events(interview.session.id) == before


def play(interview: Interview, *lines: str) -> tuple[str, str]:
    """Run plain mode on these lines; return its output and its notes."""
    out, err = io.StringIO(), io.StringIO()
    run_plain_interview(interview, io.StringIO("".join(f"{line}\n" for line in lines)), out, err)
    return out.getvalue(), err.getvalue()


def test_plain_lines_take_back_once_appeal_and_price_a_hint(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    answers = ["/back", "word1 matters", ".", "/back", "word1 and word2", ".", "/back", "/skip"]
    out, err = play(interview, *answers, "/appeal 9 no", "/appeal 3 said so", "/back", ".")
    notes = err.splitlines()
    assert notes[0] == "note: There is no answer to retract right now."
    assert notes[1].endswith("You were asked: Why does clipping work?")
    assert (
        notes[2]
        == "note: You already retracted one answer to this question after I replied to it. Your other answers stand."
    )
    assert notes[3] == "note: /appeal needs a point number from 1 to 4 and a reason; got '9 no'"
    assert notes[4:] == ["note: Appeal on point 3: said so", "note: There is no answer to retract right now."]
    assert out.index("(hint: free)") < out.index("You: ")
    assert "Your appeal: said so" in out
    assert "- clipping, after its reply was shown: “word1 matters”" in out
    [drill] = interview.session.drills
    assert [answer.text for answer in drill.answers] == ["word1 and word2"]


def test_log_report_search_and_export_tell_both(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    play(interview, "word1 rashly", ".", "/back", "word1 and word2", ".", "/skip", "/appeal 3 said <so>", ".")
    log = interview._log
    transcript = "\n".join(transcript_lines(log.events(interview.session.id)))
    assert "You: word1 rashly" in transcript
    assert "You retracted your last answer; it does not count." in transcript
    assert "clipping p3: You appealed: said <so>" in transcript
    history = read_history(log, lambda text: text)
    [past] = drills_of(history.sessions[0])
    page = str(drill_section(past))
    assert "Your appeal: said &lt;so&gt;" in page
    assert "Answers you changed: 1. Retracted answers do not count." in page
    assert [match.kind for match in search(history, "rashly")] == ["said"]
    lines = export_lines(log, lambda text: text)
    other = PracticeLog(tmp_path / "other.db")
    import_recording(other, read_lines(lines), lambda text: text)
    assert other.events(interview.session.id) == log.events(interview.session.id)


def test_an_observer_is_told_in_the_third_person() -> None:
    assert describe_event(AnswerTakenBack(1.0)).startswith("The candidate retracted the last answer")
    assert describe_event(Appealed(1.0, "a", "p1", "why")) == "The candidate's appeal on a p1: why"
    assert describe_event(Appealed(1.0, "a", "p1", "")).endswith("withdrawn")

"""In plain mode, a line says what the candidate is waiting for, unless the wait is very short."""

from __future__ import annotations

import io
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import interviewer.cli.plain.interview as plain_interview
from interviewer.chat.model import ChatCancelled, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.cli.plain.interview import PlainFrontend, run_plain_interview
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.session.state import OFFLINE
from tests.fakes import make_interview

JUDGING = "\n(waiting for the model to judge your answer; Ctrl+C lets the offline examiner judge it …)\n"
WORDING = "\n(waiting for the model to reply …)\n"


@pytest.fixture
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_interview, "MODEL_WAIT_SECONDS", 0.05)


@pytest.mark.usefixtures("short_wait")
@pytest.mark.parametrize(
    ("what", "line"), [("judging", JUDGING), ("wording", WORDING), ("speaking", WORDING[1:] + "\n")]
)
def test_one_line_says_that_the_model_takes_long(what: str, line: str) -> None:
    out = io.StringIO()
    frontend = PlainFrontend(out, io.StringIO())
    frontend.show_busy(what)
    assert out.getvalue() == "", "it may answer at once"
    wait_until(lambda: out.getvalue() != "")
    time.sleep(0.2)
    assert out.getvalue() == line


@pytest.mark.parametrize(("what", "line"), [("grading", "\n(grading …)\n"), ("listening", ""), ("", "")])
def test_grading_is_told_at_once_and_offline_judging_is_not(what: str, line: str) -> None:
    out = io.StringIO()
    PlainFrontend(out, io.StringIO()).show_busy(what)
    assert out.getvalue() == line


@pytest.mark.parametrize(
    "end",
    [
        lambda frontend: frontend.show_busy(""),
        lambda frontend: frontend.stream_text("Why?"),
        lambda frontend: frontend.say("Why?"),
        lambda frontend: frontend.show_model_wait(5.0),
    ],
)
def test_nothing_is_told_where_the_answer_comes_at_once(
    end: Callable[[PlainFrontend], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_interview, "MODEL_WAIT_SECONDS", 0.5)
    out = io.StringIO()
    frontend = PlainFrontend(out, io.StringIO())
    for what in ("judging", "wording", "speaking"):
        frontend.show_busy(what)
        end(frontend)
    time.sleep(0.7)
    assert "waiting" not in out.getvalue()


class Late(ScriptedModel):
    """Speak after 0.3 s."""

    def stream(self, *given: Any, **named: Any) -> Iterator[str]:
        time.sleep(0.3)
        yield from super().stream(*given, **named)


class Named(OfflineExaminer):
    """Judge immediately, under the name of a model, so that the model speaks."""

    name = "llm:late"


@pytest.mark.parametrize(("limit", "lines"), [(0.05, 1), (10.0, 0)])
def test_each_wait_of_an_interview_has_one_line(
    tmp_path: Path, limit: float, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_interview, "MODEL_WAIT_SECONDS", limit)
    participants = Participants(Named(), OfflineExaminer(), voice=Late())
    interview, out = make_interview(tmp_path, ("question", "clipping"), participants=participants), io.StringIO()
    run_plain_interview(interview, io.StringIO("It is about word1.\n.\n"), out, io.StringIO())
    greeting, reply, *_ = out.getvalue().split("You: ")
    assert [said.count("waiting for the model") for said in (greeting, reply)] == [lines] * 2


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


class Slow(ScriptedModel):
    """Judge until the candidate has pressed Ctrl+C this many times."""

    def __init__(self, presses: int) -> None:
        super().__init__()
        self.presses = presses

    def complete(self, *given: Any) -> Reply:
        is_cancelled = given[-1]
        for _ in range(self.presses):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            time.sleep(0.1)
        while not is_cancelled():
            time.sleep(0.01)
        raise ChatCancelled("m: stopped.", "No action needed.")


def interrupted(folder: Path, presses: int) -> tuple[Any, str, str]:
    model, out, err = Slow(presses), io.StringIO(), io.StringIO()
    participants = Participants(examiner=LLMExaminer(model), offline=OfflineExaminer(), voice=model)
    interview = make_interview(folder, ("question", "clipping"), participants=participants)
    run_plain_interview(interview, io.StringIO("It is about word1.\n.\n"), out, err)
    return interview, out.getvalue(), err.getvalue()


def test_an_interrupt_hands_the_answer_to_the_offline_examiner(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    interview, out, err = interrupted(tmp_path, presses=1)
    assert "The offline examiner judged this answer instead." in err
    assert "Input ended." in out
    assert [answer.assessment.judge for answer in interview.session.drill.answers] == [OFFLINE]
    assert interview.session.examiner != OFFLINE
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_that_does_not_wake_the_main_thread_is_handled_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal that another thread takes is pending as if it had arrived just before the main thread began to wait."""
    send = signal.pthread_kill
    monkeypatch.setattr("signal.pthread_kill", lambda _, number: send(threading.get_ident(), number))
    interview, _, err = interrupted(tmp_path, presses=1)
    assert "The offline examiner judged this answer instead." in err
    assert [answer.assessment.judge for answer in interview.session.drill.answers] == [OFFLINE]


def test_a_second_interrupt_stops_the_interview(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path, presses=2)

"""Without a screen, a line says what the candidate waits for; what takes no time is not mentioned."""

from __future__ import annotations

import io
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from interviewer.chat.model import ChatCancelled, Reply
from interviewer.chat.scripted import ScriptedModel
from interviewer.cli.plain.interview import PlainFrontend, run_plain_interview
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.session.state import OFFLINE
from tests.fakes import make_interview


@pytest.mark.parametrize(
    ("what", "line"),
    [
        (
            "judging",
            "\n(waiting for the model to judge your answer; Ctrl+C lets the offline examiner judge it …)\n",
        ),
        ("wording", "\n(waiting for the model to word the next question …)\n"),
        ("grading", "\n(grading …)\n"),
        ("listening", ""),
        ("", ""),
    ],
)
def test_a_line_says_what_is_waited_for(what: str, line: str) -> None:
    out = io.StringIO()
    PlainFrontend(out, io.StringIO()).show_busy(what)
    assert out.getvalue() == line


class Slow(ScriptedModel):
    """Judge until the candidate presses Ctrl+C so many times."""

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


def test_a_second_interrupt_stops_the_interview(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path, presses=2)

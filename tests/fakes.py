"""Stand-ins for what surrounds the runner: a grader with prepared results, and an interview that uses it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

from graders.errors import GradingError
from graders.verdict import Report
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import start_session
from interviewer.log.store import PracticeLog
from interviewer.session.move import Move
from tests.session.build import brief, plan, question


class FakeGrader:
    """Returns prepared reports or raises prepared failures, and records what was submitted."""

    def __init__(self, *results: Report | GradingError) -> None:
        self.results = list(results)
        self.submitted: list[tuple[str, str]] = []
        self.prepared: list[str] = []
        self.is_cancelled = False

    def grade(self, task: str, source: str) -> Report:
        self.submitted.append((task, source))
        result = self.results.pop(0)
        if isinstance(result, GradingError):
            raise result
        return result

    def prepare(self, task: str) -> None:
        self.prepared.append(task)

    def cancel(self) -> None:
        self.is_cancelled = True


class RecordingFrontend:
    """Records everything that the runner tells a front end."""

    def __init__(self) -> None:
        self.moves: list[Move] = []
        self.words = ""
        self.notices: list[str] = []
        self.busy: list[str] = []
        self.waits: list[float] = []

    def begin_message(self, move: Move) -> None:
        self.moves.append(move)

    def stream_text(self, text: str) -> None:
        self.words += text

    def end_message(self) -> None:
        self.words += "\n"

    def show_busy(self, what: str) -> None:
        self.busy.append(what)

    def show_model_wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    def notice(self, text: str) -> None:
        self.notices.append(text)


def offline_participants() -> Participants:
    """Return participants without a model."""
    return Participants(examiner=OfflineExaminer(), offline=OfflineExaminer())


def make_interview(
    folder: Path,
    *parts: tuple[str, str],
    grader: FakeGrader | None = None,
    participants: Participants | None = None,
    spare: str = "",
) -> Interview:
    """Return a started interview with small questions; its clock advances one second each time it is read.

    `spare` is the question to offer after the plan.
    """
    log = PracticeLog(folder / "log.db")
    participants = participants or offline_participants()
    ticks = itertools.count(1000)
    spares = (spare,) if spare else ()
    questions = tuple(question(name) for name in [*(name for kind, name in parts if kind == "question"), *spares])
    tasks = tuple(brief(name) for kind, name in parts if kind == "task")
    session = start_session(
        log,
        replace(plan(*parts), spare=spares),
        questions,
        tasks,
        participants.examiner.name,
        seed=7,
        clock=lambda: float(next(ticks)),
    )
    return Interview(log, session, participants, grader or FakeGrader(), clock=lambda: float(next(ticks)))

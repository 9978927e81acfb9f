"""Each error that a user sees has the kind and the exit code that the contract defines, wherever it was raised."""

from __future__ import annotations

import pytest

from graders.errors import Cancelled, DeviceMissing, GradingError
from interviewer.bank.load import QuestionTreeError
from interviewer.chat.model import ChatCancelled, RateLimited
from interviewer.config import ConfigError
from interviewer.errors import BadInput, InterviewerError, UnknownName, journal, to_interviewer_error
from interviewer.log.errors import LogUnwritable, NotAdmitted, NotAnExport
from sandbox.job import EngineMissing
from tasks.errors import UnknownTask

ERRORS = [
    (BadInput("m", "f"), "input", 2, False),
    (BadInput("m", "f", "session"), "session", 2, False),
    (UnknownName("m", "f"), "unknown", 2, False),
    (ConfigError("m", "f"), "config", 2, False),
    (NotAnExport("m", "f"), "input", 2, False),
    (NotAdmitted("m", "f"), "observer", 2, False),
    (LogUnwritable("m", "f"), "log", 3, True),
    (InterviewerError("m", "f", "model"), "model", 3, True),
    (RateLimited("m", "f"), "RateLimited", 3, True),
    (ChatCancelled("m", "f"), "ChatCancelled", 3, False),
    (EngineMissing("m", "f"), "sandbox", 3, True),
    (DeviceMissing("m", "f"), "DeviceMissing", 3, True),
    (GradingError("m", "f", "EngineMissing"), "EngineMissing", 3, True),
    (Cancelled("m", "f"), "Cancelled", 3, False),
    (GradingError("m", "f", "Cancelled"), "Cancelled", 3, False),
    (UnknownTask("m", "f"), "tasks", 3, True),
]


@pytest.mark.parametrize(
    ("error", "kind", "exit_code", "is_recorded"), ERRORS, ids=[f"{type(row[0]).__name__} {row[1]}" for row in ERRORS]
)
def test_an_error_has_the_kind_and_exit_code_of_the_contract(
    error: Exception, kind: str, exit_code: int, is_recorded: bool
) -> None:
    shown = to_interviewer_error(error)
    assert (shown.message, shown.fix, shown.kind, shown.exit_code) == ("m", "f", kind, exit_code)
    assert bool(journal.record(error)) is is_recorded


def test_wrong_question_files_are_one_error_that_says_what_to_do() -> None:
    error = QuestionTreeError(["a.toml: one", "b.toml: two"])
    assert (error.kind, error.exit_code) == ("bank", 3)
    assert error.message == "a.toml: one\nb.toml: two"
    assert "interviewer check" in error.fix


def test_what_nobody_foresaw_keeps_its_own_error_as_the_cause() -> None:
    error = KeyError("gone")
    shown = to_interviewer_error(error)
    assert (shown.kind, shown.exit_code, shown.__cause__) == ("fault", 3, error)
    assert "KeyError" in shown.message

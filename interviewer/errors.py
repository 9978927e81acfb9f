"""All errors shown to users: the class tree, the exit code and kind of each class, and a journal of internal failures.

InterviewerError            the app failed (exit code 3)
├── InternalError           an unexpected error: a bug in the app
├── BadInput                the user's input or setting cannot be used (exit code 2)
│   ├── UnknownName         no question, task or session has this name
│   └── ConfigError         a setting cannot be used                                    config
├── BankError               the question files have errors                              bank.load
├── ChatError               the language model gave no usable reply                     chat.model
├── LogError                the practice log cannot be used                             log.errors
└── ExternalEditorError     the user's editor could not be used                         tui.external

The journal is a private file of limited size. The journal stores each failure of the app under the id that the user was
shown. Recording an error never raises, so it cannot hide the original failure. Secrets are removed before an error is
written.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import ClassVar

from graders.errors import Cancelled, GradingError
from interviewer import __version__
from interviewer.sanitize import MASKED_KEY, masker
from sandbox.job import SandboxError
from tasks.errors import TaskError

# The exit codes of the `interviewer` command.
OK, NOT_PASSED, BAD_INPUT, OUR_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130
JOURNAL_BYTES_MAX = 256 * 1024
MESSAGE_CHARACTERS_MAX = 2000
TRACE_LINES_MAX = 60
QUOTED_CHARACTERS_MAX = 40
_REPORT = "Everything up to this point is in the practice log. Try again, and report the error if it happens again."
_ROOT = Path(__file__).parent.parent
# A long quotation is usually the candidate's own text. Quoted paths and names contain no spaces, so they are never
# shortened.
_QUOTED = re.compile(r"""(?<!\w)(?P<mark>['"`])(?P<text>(?:(?!(?P=mark)).)*)(?P=mark)|“(?P<curly>[^”]*)”""")


class InterviewerError(Exception):
    """An error that is shown to the user.

    `message` describes the error, `fix` says what the user can do, and `kind` is the error's machine-readable name.
    """

    exit_code: ClassVar[int] = OUR_FAILURE
    is_recorded: ClassVar[bool] = True
    kind: str = ""

    def __init__(self, message: str, fix: str = "", kind: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix
        self.kind = kind or type(self).kind or type(self).__name__


class BadInput(InterviewerError):
    """The user's input, or one of the user's settings, cannot be used."""

    exit_code = BAD_INPUT
    is_recorded = False
    kind = "input"


class UnknownName(BadInput):
    """No question, task or session has the given name."""

    kind = "unknown"


class InternalError(InterviewerError):
    """An unexpected error occurred; the original error is the cause."""


# The packages `graders`, `sandbox` and `tasks`, which the app is built on, must not import this module. Each of these
# packages has its own base class with a message, fix and kind.
EXPECTED_ERRORS = (InterviewerError, GradingError, SandboxError, TaskError)


def to_interviewer_error(error: Exception) -> InterviewerError:
    """Convert any exception to an InterviewerError.

    An InterviewerError is returned unchanged. Any other exception becomes the cause of the returned error.
    """
    if isinstance(error, InterviewerError):
        return error
    if isinstance(error, EXPECTED_ERRORS):
        stand_in = InterviewerError(error.message, error.fix, error.kind)
    else:
        name = type(error).__name__
        stand_in = InternalError(f"internal error: {name}: {text_of(error)}", _REPORT, "fault")
    stand_in.__cause__ = error
    return stand_in


@dataclass(frozen=True)
class ErrorRecord:
    """A recorded failure: its id, time (in epoch seconds), app version, kind, message, and traceback."""

    id: str
    at: float
    version: str
    kind: str
    message: str
    trace: tuple[str, ...]

    @property
    def when(self) -> str:
        """Return the local time, to the second."""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self.at))

    def __str__(self) -> str:
        """Return the whole record as text for a bug report."""
        head = f"{self.id} · {self.when} · interviewer {self.version}\n{self.kind}: {self.message}"
        return "\n".join([head, "", *self.trace])


class ErrorJournal:
    """A private file of recorded failures, limited in size. A full file is renamed, and a new file is started."""

    def __init__(self) -> None:
        self._find_file: Callable[[], Path] | None = None

    def use(self, find_file: Callable[[], Path]) -> None:
        """Set the function that returns the journal's path.

        The function is called on each access, because settings may change the path.
        """
        self._find_file = find_file

    @property
    def path(self) -> Path:
        """Return the path of the journal, which may not exist. Raises OSError if no path is set."""
        if self._find_file is None:
            raise OSError("the error journal has no file")
        return self._find_file()

    def record(self, error: BaseException, kind: str = "") -> str:
        """Record an error and return its id, or "" if it is not a failure of the app or cannot be recorded.

        The same exception is recorded only once.
        """
        known = getattr(error, "record_id", None)
        if isinstance(known, str):
            return known
        if not _is_ours(error):
            return ""
        record_id = ""
        with suppress(Exception):
            record = self._record_of(error, kind or _name_of(error))
            _append(self.path, json.dumps(asdict(record)).encode() + b"\n")
            record_id = record.id
        with suppress(AttributeError):
            error.record_id = record_id  # type: ignore[attr-defined]
        return record_id

    def id_note(self, error: BaseException, kind: str = "") -> str:
        """Record the error and return " Error E7F3A." to append to its message; "" if it is not recorded."""
        record_id = self.record(error, kind)
        return f" Error {record_id}." if record_id else ""

    def records(self) -> list[ErrorRecord]:
        """Return the recorded errors, latest first. Unreadable lines are skipped.

        Raises OSError if the journal cannot be read.
        """
        records = []
        for path in (_previous(self.path), self.path):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else ():
                with suppress(ValueError, TypeError, KeyError):
                    fields = json.loads(line)
                    records.append(ErrorRecord(**{**fields, "trace": tuple(fields["trace"])}))
        return records[::-1]

    def _record_of(self, error: BaseException, kind: str) -> ErrorRecord:
        trace = [line for cause in _chain(error) for line in _lines(cause)]
        left_out = [f"… {len(trace) - TRACE_LINES_MAX} lines …"] if len(trace) > TRACE_LINES_MAX else []
        return ErrorRecord(
            id=self._new_id(),
            at=time.time(),
            version=__version__,
            kind=kind,
            message=_clean(error.message) if isinstance(error, EXPECTED_ERRORS) else text_of(error),
            trace=(*left_out, *trace[-TRACE_LINES_MAX:]),
        )

    def _new_id(self) -> str:
        taken = {record.id for record in self.records()}
        while (drawn := f"E{os.urandom(2).hex().upper()}") in taken:
            pass
        return drawn


journal = ErrorJournal()


def text_of(error: BaseException) -> str:
    """Return an error's message as a single line, without secrets or text that looks like the candidate's own words."""
    try:
        text = str(error)
    except Exception as broken:
        text = f"(its message could not be read: {type(broken).__name__})"
    return _clean(text)


def _is_ours(error: BaseException) -> bool:
    """Return whether the error is a failure of the app, as opposed to bad input or a cancellation by the user."""
    if isinstance(error, InterviewerError):
        return error.is_recorded
    # A canceled grading run may be reported by the worker, which sends only the name of the exception class.
    return getattr(error, "kind", "") != Cancelled.__name__


def _name_of(error: BaseException) -> str:
    """Return the kind passed to the error, or else its class name, which is more specific than the class's own kind."""
    kind = getattr(error, "kind", "")
    return kind if kind and kind != getattr(type(error), "kind", "") else type(error).__name__


def _chain(error: BaseException) -> list[BaseException]:
    """Return the chain of errors that led to this error, oldest first, including those hidden by `from None`."""
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    return chain[::-1]


def _lines(error: BaseException) -> Iterator[str]:
    """Yield an error's stack frames and message, without source lines or values, which could contain answers."""
    step: TracebackType | None = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        yield f"  {_short(code.co_filename)}:{step.tb_lineno} in {code.co_name}"
        step = step.tb_next
    yield f"{type(error).__name__}: {text_of(error)}"


def _short(filename: str) -> str:
    path = Path(filename)
    if path.is_relative_to(_ROOT):
        return str(path.relative_to(_ROOT)).rpartition("site-packages/")[2]
    return "/".join(path.parts[-2:])


def _clean(text: str) -> str:
    """Return a message without secrets, the home folder's path, or text that is probably the candidate's own."""
    clean = masker(os.environ, MASKED_KEY)(" ".join(text.split()))
    clean = _QUOTED.sub(_quote_or_length, clean)
    home = str(Path.home())
    clean = clean.replace(home, "~") if len(home) > 1 else clean
    return clean if len(clean) <= MESSAGE_CHARACTERS_MAX else f"{clean[:MESSAGE_CHARACTERS_MAX]} …"


def _quote_or_length(quoted: re.Match[str]) -> str:
    text = quoted["text"] or quoted["curly"] or ""
    is_talk = len(text) > QUOTED_CHARACTERS_MAX and " " in text
    return f"“… {len(text)} characters …”" if is_talk else quoted[0]


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists() and path.stat().st_size + len(line) > JOURNAL_BYTES_MAX:
        os.replace(path, _previous(path))
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        # Use a single write, so that lines from two running apps cannot be interleaved.
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def _previous(path: Path) -> Path:
    return path.with_name("errors.1.jsonl")

"""What went wrong on our side, kept in a private, capped file under the id that the user was shown.

Nothing in here raises, and no key gets into the file: a failure that cannot be kept must not hide the failure itself.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from interviewer import __version__
from interviewer.chat.failures import without_keys
from interviewer.config import find_folders
from interviewer.kit_error import USERS_OWN
from interviewer.sanitize import masker

FILE_BYTES_MAX = 256 * 1024
MESSAGE_CHARACTERS_MAX = 2000
TRACE_LINES_MAX = 60
# What the user asked for, or typed, is nobody's fault.
_NO_FAULT = USERS_OWN | {"Cancelled", "ChatCancelled", "input", "BadInput", "config"}
_HERE = Path(__file__).parent.parent
# Long words in quotation marks are what a program was given, mostly by the candidate; paths and names have no spaces.
_QUOTED = re.compile(r"""(?<!\w)(?P<mark>['"`])(?P<words>(?:(?!(?P=mark)).)*)(?P=mark)|“(?P<said>[^”]*)”""")
QUOTED_CHARACTERS_MAX = 40


@dataclass(frozen=True)
class Fault:
    """Hold one failure: its id, when in epoch seconds, the version it happened in, its kind, and where it came from."""

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
        """Return all of it, to be pasted into a report."""
        head = f"{self.id} · {self.when} · interviewer {self.version}\n{self.kind}: {self.message}"
        return "\n".join([head, "", *self.trace])


def faults_file() -> Path:
    """Return where failures are kept, whether the file is there or not."""
    return find_folders().data / "errors.jsonl"


def keep(error: BaseException, kind: str = "") -> str:
    """Return the id under which this error is kept; "" when it is none of ours, or cannot be kept.

    The same error is kept once, however often it is shown.
    """
    known = getattr(error, "fault_id", None)
    if isinstance(known, str):
        return known
    named = kind or str(getattr(error, "kind", "")) or type(error).__name__
    if named in _NO_FAULT:
        return ""
    kept = ""
    with suppress(Exception):
        fault = _fault(error, named)
        _append(faults_file(), json.dumps(asdict(fault)).encode() + b"\n")
        kept = fault.id
    with suppress(AttributeError):
        error.fault_id = kept  # type: ignore[attr-defined]
    return kept


def words_of(error: BaseException) -> str:
    """Return what an error says in one line, without keys and without what looks like the candidate's own words."""
    return _tidy(_said(error))


def id_words(error: BaseException, kind: str = "") -> str:
    """Return " Error E7F3A.", to be said behind an error that is kept; "" behind one that is not."""
    kept = keep(error, kind)
    return f" Error {kept}." if kept else ""


def kept_faults() -> list[Fault]:
    """Return what is kept, latest first; lines that cannot be read are left out. Raises: OSError."""
    found = []
    for path in (_older(faults_file()), faults_file()):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else ():
            with suppress(ValueError, TypeError, KeyError):
                held = json.loads(line)
                found.append(Fault(**{**held, "trace": tuple(held["trace"])}))
    return found[::-1]


def _fault(error: BaseException, kind: str) -> Fault:
    trace = [line for one in _chain(error) for line in _lines(one)]
    left_out = [f"… {len(trace) - TRACE_LINES_MAX} lines …"] if len(trace) > TRACE_LINES_MAX else []
    message = getattr(error, "message", None)
    return Fault(
        id=_fresh_id(),
        at=time.time(),
        version=__version__,
        kind=kind,
        message=_tidy(message if isinstance(message, str) else _said(error)),
        trace=(*left_out, *trace[-TRACE_LINES_MAX:]),
    )


def _fresh_id() -> str:
    taken = {one.id for one in kept_faults()}
    while (drawn := f"E{secrets.token_hex(2).upper()}") in taken:
        pass
    return drawn


def _chain(error: BaseException) -> list[BaseException]:
    """Return the errors that led to this one, the first one first; also those that `from None` hides from a user."""
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or one.__context__
    return chain[::-1]


def _lines(error: BaseException) -> Iterator[str]:
    """Yield places and words of one error. No lines of source and no values: those may be an answer."""
    step: TracebackType | None = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        yield f"  {_short(code.co_filename)}:{step.tb_lineno} in {code.co_name}"
        step = step.tb_next
    yield f"{type(error).__name__}: {words_of(error)}"


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as broken:
        return f"(its words cannot be had: {type(broken).__name__})"


def _short(filename: str) -> str:
    path = Path(filename)
    if path.is_relative_to(_HERE):
        return str(path.relative_to(_HERE)).rpartition("site-packages/")[2]
    return "/".join(path.parts[-2:])


def _tidy(text: Any) -> str:
    """Return a message without keys, the home folder, and what looks like the candidate's own words."""
    said = masker(os.environ)(without_keys(" ".join(str(text).split()), os.environ))
    said = _QUOTED.sub(_left_out, said)
    home = str(Path.home())
    said = said.replace(home, "~") if len(home) > 1 else said
    return said if len(said) <= MESSAGE_CHARACTERS_MAX else f"{said[:MESSAGE_CHARACTERS_MAX]} …"


def _left_out(found: re.Match[str]) -> str:
    words = found["words"] or found["said"] or ""
    is_talk = len(words) > QUOTED_CHARACTERS_MAX and " " in words
    return f"“… {len(words)} characters …”" if is_talk else found[0]


def _append(path: Path, line: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists() and path.stat().st_size + len(line) > FILE_BYTES_MAX:
        os.replace(path, _older(path))
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        # One write: lines of two apps at once must not run into each other.
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def _older(path: Path) -> Path:
    return path.with_name("errors.1.jsonl")

"""What happened in a session, in the past tense, and how each event is written to the log and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass

from graders.verdict import Report
from interviewer.session.assessment import Assessment, Calibration
from interviewer.session.codec import CodecError, from_plain, to_plain
from interviewer.session.move import MoveKind
from interviewer.session.plan import Plan
from interviewer.session.question import Question, TaskBrief
from interviewer.session.state import Decision, ObserverMark, SelfMark

FORMAT = 1


@dataclass(frozen=True)
class SessionStarted:
    """Open a session. It holds whole questions and tasks, so that the log replays after the bank has changed.

    `device` is the device that grades a challenge, "" in an interview. Logs of earlier versions do not have it.
    """

    at: float
    session: str
    seed: int
    plan: Plan
    questions: tuple[Question, ...]
    tasks: tuple[TaskBrief, ...]
    examiner: str
    calibrations: tuple[Calibration, ...] = ()
    device: str = ""


@dataclass(frozen=True)
class InterviewerSaid:
    """Record the words of a move; `is_cut` is true if the candidate interrupted them."""

    at: float
    move: MoveKind
    text: str
    is_cut: bool = False


@dataclass(frozen=True)
class CandidateSaid:
    """Record everything the candidate typed."""

    at: float
    text: str


@dataclass(frozen=True)
class AnswerTakenBack:
    """Record that the last answer is retracted. The answer, and any reply to it, stay in the log before this event."""

    at: float


@dataclass(frozen=True)
class Assessed:
    """Record how the last answer was judged, and what policy decided then; a newer policy may decide differently."""

    at: float
    assessment: Assessment
    decision: Decision | None = None


@dataclass(frozen=True)
class SelfMarked:
    """Record the candidate's own marks for the question just left; they are stored separately from the machine's."""

    at: float
    marks: tuple[SelfMark, ...]


@dataclass(frozen=True)
class Appealed:
    """Record why the candidate contests the finding for a point; "" withdraws it. Never changes the finding."""

    at: float
    question: str
    point: str
    why: str


@dataclass(frozen=True)
class HintAsked:
    """Record that the candidate asked for help."""

    at: float


@dataclass(frozen=True)
class SkipAsked:
    """Record that the candidate leaves this part."""

    at: float


@dataclass(frozen=True)
class EndAsked:
    """Record that the candidate ends the session."""

    at: float


@dataclass(frozen=True)
class Submitted:
    """Record a submission's source, before anything runs."""

    at: float
    source: str


@dataclass(frozen=True)
class Graded:
    """Record the report of the last submission."""

    at: float
    report: Report


@dataclass(frozen=True)
class GradingFailed:
    """Record that grading itself failed, through no fault of the submission."""

    at: float
    kind: str
    message: str
    fix: str


@dataclass(frozen=True)
class ExaminerChanged:
    """Record that a different examiner is used from here on, and why."""

    at: float
    examiner: str
    why: str


@dataclass(frozen=True)
class ObserverAsked:
    """Record that an observer's question takes the interviewer's next turn. `note` is its number in the log's notes."""

    at: float
    note: int
    who: str
    text: str


@dataclass(frozen=True)
class ObserverMarked:
    """Record an observer's marks, up to the note of this number; they are stored separately from other marks."""

    at: float
    note: int
    marks: tuple[ObserverMark, ...]


@dataclass(frozen=True)
class Resumed:
    """Record that the session was resumed; the time in between does not count."""

    at: float


Event = (
    SessionStarted
    | InterviewerSaid
    | CandidateSaid
    | AnswerTakenBack
    | Assessed
    | SelfMarked
    | Appealed
    | HintAsked
    | SkipAsked
    | EndAsked
    | Submitted
    | Graded
    | GradingFailed
    | ExaminerChanged
    | ObserverAsked
    | ObserverMarked
    | Resumed
)
_KINDS: dict[str, type] = {kind.__name__: kind for kind in Event.__args__}


def dump_event(event: Event) -> str:
    """Return the event as one line of JSON."""
    # Lone surrogates from a paste are legal in str but not in UTF-8; ASCII escapes keep them without loss.
    return json.dumps({"format": FORMAT, "kind": type(event).__name__, **to_plain(event)}, ensure_ascii=True)


def load_event(line: str) -> Event:
    """Return the event in one line of JSON. Raises: CodecError if the line is no event of this format."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise CodecError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise CodecError(f"expected an event of format {FORMAT}; it may come from a newer version of interviewer")
    kind = _KINDS.get(str(data.pop("kind", "")))
    if kind is None:
        raise CodecError("unknown kind of event; it may come from a newer version of interviewer")
    event: Event = from_plain(kind, data)
    return event

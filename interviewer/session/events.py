"""The events of a session, named in the past tense, and how each one is written to the log and read back."""

from __future__ import annotations

import json
from dataclasses import dataclass

from graders.verdict import Report
from interviewer.session.assessment import Assessment, Calibration
from interviewer.session.codec import CodecError, from_plain, to_plain
from interviewer.session.move import MoveKind
from interviewer.session.plan import Plan
from interviewer.session.question import Question, TaskBrief
from interviewer.session.state import Decision, Explanation, ObserverMark, PracticeTry, SelfMark, Summary

FORMAT = 1


@dataclass(frozen=True)
class SessionStarted:
    """A session started. The event contains whole questions and tasks, so that the log replays after the bank changes.

    `device` is the device that grades a challenge, or "" in an interview. Logs from earlier versions lack this field.
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
    """The interviewer made a move; `is_cut` is true if the candidate interrupted it."""

    at: float
    move: MoveKind
    text: str
    is_cut: bool = False


@dataclass(frozen=True)
class CandidateSaid:
    """The candidate said something; `text` is everything that the candidate typed."""

    at: float
    text: str


@dataclass(frozen=True)
class AnswerTakenBack:
    """The last answer was retracted. The answer and any reply to it remain in the log, before this event."""

    at: float


@dataclass(frozen=True)
class Assessed:
    """The last answer was judged. `decision` records the policy's choice; a newer policy may decide differently."""

    at: float
    assessment: Assessment
    decision: Decision | None = None


@dataclass(frozen=True)
class SelfMarked:
    """The candidate marked points for the last question; stored separately from the examiner's findings."""

    at: float
    marks: tuple[SelfMark, ...]


@dataclass(frozen=True)
class Appealed:
    """The candidate contests a point's finding, which stays unchanged; an empty `why` withdraws the appeal."""

    at: float
    question: str
    point: str
    why: str


@dataclass(frozen=True)
class HintAsked:
    """The candidate asked for help."""

    at: float


@dataclass(frozen=True)
class SkipAsked:
    """The candidate skipped the rest of this part of the session."""

    at: float


@dataclass(frozen=True)
class EndAsked:
    """The candidate ended the session."""

    at: float


@dataclass(frozen=True)
class QuestionAdded:
    """The candidate accepted the extra question that is offered when the plan is complete; `question` is its id."""

    at: float
    question: str


@dataclass(frozen=True)
class Submitted:
    """The candidate submitted code; recorded before any of it runs."""

    at: float
    source: str


@dataclass(frozen=True)
class Graded:
    """The last submission was graded."""

    at: float
    report: Report


@dataclass(frozen=True)
class GradingFailed:
    """Grading failed because of an internal error, not because of the submission.

    `error_kind` is not called "kind", because each log line already stores the event's kind under that name.
    """

    at: float
    error_kind: str
    message: str
    fix: str


@dataclass(frozen=True)
class ExaminerChanged:
    """The session switched to a different examiner; `why` gives the reason."""

    at: float
    examiner: str
    why: str


@dataclass(frozen=True)
class ObserverAsked:
    """An observer's question is asked in the interviewer's next turn. `note` is the number of the observer's note."""

    at: float
    note: int
    who: str
    text: str


@dataclass(frozen=True)
class ObserverMarked:
    """Observers marked points; these marks are stored separately from all other marks.

    `note` is the number of the last note from which these marks were taken.
    """

    at: float
    note: int
    marks: tuple[ObserverMark, ...]


@dataclass(frozen=True)
class Resumed:
    """The session was resumed; the time since it stopped does not count."""

    at: float


@dataclass(frozen=True)
class Summarized:
    """A model wrote a summary of the finished session; see `AFTERWARDS`."""

    at: float
    summary: Summary


@dataclass(frozen=True)
class Explained:
    """A model explained a missed point after the session; see `AFTERWARDS`."""

    at: float
    explanation: Explanation


@dataclass(frozen=True)
class Practiced:
    """The candidate answered a rung's question again after the session, unscored; see `AFTERWARDS`."""

    at: float
    attempt: PracticeTry


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
    | QuestionAdded
    | Submitted
    | Graded
    | GradingFailed
    | ExaminerChanged
    | ObserverAsked
    | ObserverMarked
    | Resumed
    | Summarized
    | Explained
    | Practiced
)
# Events that are recorded after a session has ended and do not change its result. The log numbers these events
# separately from the session's own events, so older versions that do not recognize these events can still read the
# session (docs/decisions/030).
AFTERWARDS: tuple[type, ...] = (Summarized, Explained, Practiced)
_KINDS: dict[str, type] = {kind.__name__: kind for kind in Event.__args__}
# Earlier versions overwrote the kind of a `GradingFailed` with the error's kind. Such a `GradingFailed` event has
# exactly the keys below, and its kind is not the name of an event class.
_GRADING_FAILED_BEFORE = {"at", "message", "fix"}


def dump_event(event: Event) -> str:
    """Return the event as one line of JSON."""
    # A paste can contain lone surrogates, which str allows but UTF-8 does not; ASCII escapes preserve them.
    return json.dumps({"format": FORMAT, "kind": type(event).__name__, **to_plain(event)}, ensure_ascii=True)


def load_event(line: str) -> Event:
    """Parse one line of JSON into an event. Raises CodecError if the line is not an event in this format."""
    try:
        data = json.loads(line)
    except json.JSONDecodeError as error:
        raise CodecError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise CodecError(f"expected an event in format {FORMAT}; it may come from a newer version of interviewer")
    name = str(data.pop("kind", ""))
    kind = _KINDS.get(name)
    if kind is None and set(data) == _GRADING_FAILED_BEFORE:
        kind, data["error_kind"] = GradingFailed, name
    if kind is None:
        raise CodecError("unknown kind of event; it may come from a newer version of interviewer")
    event: Event = from_plain(kind, data)
    return event

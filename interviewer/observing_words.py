"""What an observer reads, as plain lines: what happened, the rubric in three columns, the ladder, what is typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interviewer.log.transcript import event_text
from interviewer.session import events
from interviewer.session.assessment import State
from interviewer.session.question import Point, Question
from interviewer.session.state import Session

TYPED_LINES_MAX = 40
_NOT_MARKED = "-"
_SHORT: dict[type, str] = {
    events.AnswerTakenBack: "The candidate took the last answer back; it counts nowhere.",
    events.HintAsked: "The candidate asked for a hint.",
    events.SkipAsked: "The candidate skipped this part.",
    events.EndAsked: "The candidate ended the session.",
}


@dataclass(frozen=True)
class RubricRow:
    """Hold one point with its three marks, never mixed; None where nobody marked it."""

    number: int
    point: Point
    machine: State | None
    own: State | None
    observer: State | None


def marked_as(state: State | None) -> str:
    """Return a mark in a word."""
    return state.value if state else _NOT_MARKED


def what_happened(event: events.Event) -> str:
    """Return one event as somebody beside the candidate would tell it."""
    match event:
        case events.CandidateSaid():
            return f"\nCandidate: {event.text}"
        case events.Submitted():
            return f"\nThe candidate submitted:\n{event.source}"
        case events.SelfMarked():
            marks = ", ".join(f"{mark.point} {mark.state.value}" for mark in event.marks)
            return f"The candidate's own marks: {marks or 'none'}"
        case events.Appealed():
            return f"The candidate's appeal on {event.question} {event.point}: {event.why or 'withdrawn'}"
        case events.InterviewerSaid():
            return f"\n{event_text(event)}"
    return _SHORT.get(type(event)) or event_text(event)


def rubric_rows(session: Session, question: Question, marks: Mapping[tuple[str, str], State]) -> Iterator[RubricRow]:
    """Yield the points with the machine's mark, the candidate's own and the observers'."""
    drill = next(one for one in reversed(session.drills) if one.question == question.id)
    own = {mark.point: mark.state for mark in drill.self_marks or ()}
    for number, point in enumerate(question.points, 1):
        credit = drill.credit_of(point.id)
        observer = marks.get((question.id, point.id))
        yield RubricRow(number, point, credit.state if credit else None, own.get(point.id), observer)


def rubric_lines(session: Session, question: Question, marks: Mapping[tuple[str, str], State]) -> Iterator[str]:
    """Yield the points on a line each."""
    yield f"Rubric of {question.id} [machine | candidate | observer]:"
    for row in rubric_rows(session, question, marks):
        columns = " | ".join(map(marked_as, (row.machine, row.own, row.observer)))
        yield f"  {row.number}. [{columns}] {row.point.says}"


def ladder_lines(question: Question) -> Iterator[str]:
    """Yield each rung with the bank's short answer."""
    yield f"The bank's answers to {question.id}:"
    for number, rung in enumerate(question.rungs, 1):
        yield f"  rung {number}: {' '.join(rung.ask.split())}"
        yield f"    answer: {' '.join(rung.answer.split())}"


def typed_lines(before: str, after: str) -> Iterator[str]:
    """Yield the lines that differ, numbered; of a line that only grew, what was added."""
    old, new = before.split("\n"), after.split("\n")
    if not after:
        return
    both = min(len(old), len(new))
    start = next((number for number in range(both) if old[number] != new[number]), both)
    # What follows an edit in the middle is the same as before, only moved.
    end = len(new)
    while end > start and len(old) - (len(new) - end) > start and new[end - 1] == old[len(old) - (len(new) - end) - 1]:
        end -= 1
    for number in range(start, min(end, start + TYPED_LINES_MAX)):
        grew = number < len(old) and old[number] and new[number].startswith(old[number])
        yield f"{number + 1}| " + (f"…{new[number][len(old[number]) :]}" if grew else new[number])
    if end - start > TYPED_LINES_MAX:
        yield f"… {end - start - TYPED_LINES_MAX} more lines changed; /code shows the code"
    elif start == end and len(new) < len(old):
        yield f"{start + 1}| (lines were taken out; {len(new)} are left)"

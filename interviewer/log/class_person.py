"""What one person's exported log adds to a summary of a class: ids, counts and depths, and no word of an answer.

The export is somebody else's file: nothing of it is written anywhere, and what cannot be followed is counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.errors import NotAnExport
from interviewer.log.history import DrillPast, History
from interviewer.log.jsonl import read_lines
from interviewer.session.depth import Depth
from interviewer.session.engine import OutOfTurn, fold
from interviewer.session.events import Event
from interviewer.session.state import Session


class Item(NamedTuple):
    """Name one piece of content: "question" or "task", and its id."""

    kind: str
    id: str


class Slip(NamedTuple):
    """Name a mistake on file of a task, or a misconception of a question."""

    of: Item
    id: str


@dataclass(frozen=True)
class Tried:
    """Hold what came of all submissions of one person for one task; `mistakes` counts them by id."""

    submissions: int
    has_passed: bool
    mistakes: Mapping[str, int]


@dataclass(frozen=True)
class Person:
    """Hold what one export says of one person.

    `digest` is of the file's content; people are ordered by it. `latest` has the last depth by topic and by who
    judged it. `held` has who heard each misconception. `says` are the file's own sentences for mistakes and
    misconceptions, for those that the catalogue here lacks.
    """

    file: str
    digest: str
    sessions: tuple[str, ...]
    unfollowed: int
    answered: int
    judged: Mapping[str, int]
    calibrated: frozenset[str]
    latest: Mapping[tuple[str, str], Depth]
    tried: Mapping[str, Tried]
    held: Mapping[Slip, str]
    met: frozenset[Item]
    says: Mapping[Slip, str]


def read_person(file: str, data: bytes) -> Person:
    """Return what an export says of one person; `file` is what it is called. Raises: NotAnExport."""
    try:
        recorded = read_lines(data.decode("utf-8").split("\n"))
    except UnicodeDecodeError as error:
        raise NotAnExport(f"not UTF-8 text (byte {error.start})", "Export it again.") from None
    sessions = list(_followed(recorded.sessions.values()))
    sessions.sort(key=lambda one: one.started_at)
    history = History(tuple(sessions), tuple(recorded.attempts))
    drills, attempts = history.drills(), history.attempts()
    answers = [answer for past in drills for answer in past.drill.answers]
    return Person(
        file=file,
        digest=hashlib.sha256(data).hexdigest(),
        sessions=tuple(recorded.sessions),
        unfollowed=len(recorded.sessions) - len(sessions),
        answered=sum(bool(past.drill.answers) for past in drills),
        judged=Counter(answer.assessment.judge for answer in answers if answer.assessment.is_graded),
        calibrated=frozenset(one.examiner for session in sessions for one in session.calibrations if one.is_good),
        latest={(topic, judge_of(past)): past.depth for past in drills for topic in past.question.topics if past.depth},
        tried=_tried(attempts),
        held=_held(drills),
        met=frozenset([*_put(sessions), *(Item("task", one.task) for one in attempts)]),
        says=dict(_sentences(drills, attempts)),
    )


def _followed(sessions: Iterable[list[Event]]) -> Iterator[Session]:
    for events in sessions:
        try:
            yield fold(events)
        except (OutOfTurn, LookupError, ValueError):
            continue  # counted by its absence


def judge_of(past: DrillPast) -> str:
    """Return who judged the answers to one question; two that took turns are named together, as an own kind."""
    judges = {answer.assessment.judge for answer in past.drill.answers if answer.assessment.is_graded}
    return " and ".join(sorted(judges))


def _tried(attempts: Sequence[LoggedAttempt]) -> dict[str, Tried]:
    by_task: dict[str, list[LoggedAttempt]] = {}
    for one in attempts:
        by_task.setdefault(one.task, []).append(one)
    return {
        task: Tried(
            len(own),
            any(one.report.verdict is Verdict.PASSED for one in own),
            Counter(mistake.id for one in own for mistake in one.report.mistakes),
        )
        for task, own in by_task.items()
    }


def _held(drills: Sequence[DrillPast]) -> dict[Slip, str]:
    """Return each misconception with who heard it, in any of the drills."""
    heard_by: dict[Slip, set[str]] = {}
    for past in drills:
        for answer in past.drill.answers:
            for belief in answer.assessment.misconceptions:
                slip = Slip(Item("question", past.question.id), belief.id)
                heard_by.setdefault(slip, set()).add(answer.assessment.judge)
    return {slip: " and ".join(sorted(judges)) for slip, judges in heard_by.items()}


def _put(sessions: Sequence[Session]) -> Iterator[Item]:
    for session in sessions:
        yield from (Item("question", drill.question) for drill in session.drills)
        yield from (Item("task", work.task) for work in session.works)


def _sentences(drills: Sequence[DrillPast], attempts: Sequence[LoggedAttempt]) -> Iterator[tuple[Slip, str]]:
    for past in drills:
        yield from (
            (Slip(Item("question", past.question.id), one.id), one.says) for one in past.question.misconceptions
        )
    for attempt in attempts:
        yield from ((Slip(Item("task", attempt.task), one.id), one.wrong) for one in attempt.report.mistakes)

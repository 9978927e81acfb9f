"""Summarizes the exported logs of a class; results from different examiners are never combined.

A summary contains ids, counts, and depths, but no text from anyone's answers. Unreadable sessions are counted.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.errors import NotAnExport
from interviewer.log.history import History, LoggedDrill, with_current_ids
from interviewer.log.reports.jsonl import read_lines
from interviewer.session.engine import InvalidTransition, fold
from interviewer.session.events import Event
from interviewer.session.scoring import INTERVAL_WIDTH_MAX, Depth
from interviewer.session.state import Session
from tasks.task import TaskNames


class Item(NamedTuple):
    """One piece of content: "question" or "task", and its id."""

    kind: str
    id: str


class MistakeKey(NamedTuple):
    """The id of a task's known mistake, or of a question's misconception."""

    of: Item
    id: str


@dataclass(frozen=True)
class TaskResult:
    """One person's results over all submissions for one task; `mistakes` counts submissions by mistake id."""

    submissions: int
    has_passed: bool
    mistakes: Mapping[str, int]


@dataclass(frozen=True)
class Person:
    """One person's data from one export.

    People are sorted by `digest`, the hash of the file's content. `unfollowed` counts sessions that the current version
    cannot replay. `latest` maps (topic, examiner) to the latest depth. `held` maps each misconception to the examiner
    that found it. `says` contains the export's own descriptions of mistakes and misconceptions, for those missing from
    the local catalog.
    """

    file: str
    digest: str
    sessions: tuple[str, ...]
    unfollowed: int
    answered: int
    judged: Mapping[str, int]
    calibrated: frozenset[str]
    latest: Mapping[tuple[str, str], Depth]
    tried: Mapping[str, TaskResult]
    held: Mapping[MistakeKey, str]
    met: frozenset[Item]
    says: Mapping[MistakeKey, str]

    @property
    def session_count(self) -> int:
        """Return the number of sessions in the summary, which leaves out those that cannot be replayed."""
        return len(self.sessions) - self.unfollowed


def read_person(file: str, data: bytes, names: TaskNames) -> Person:
    """Return one person's data from an export; `file` is the file's name.

    Raises NotAnExport if a line is not in the export format. Tasks that were renamed since the export get their current
    ids.
    """
    try:
        recording = read_lines(data.decode("utf-8").split("\n"))
    except UnicodeDecodeError as error:
        raise NotAnExport(f"not UTF-8 text (byte {error.start})", "Export it again.") from None
    sessions = [with_current_ids(session, names) for session in _followed(recording.sessions.values())]
    sessions.sort(key=lambda session: session.started_at)
    loose = (replace(attempt, task=names.id_of(attempt.task)) for attempt in recording.attempts)
    history = History(tuple(sessions), tuple(loose))
    drills, attempts = history.drills(), history.attempts()
    answers = [answer for logged in drills for answer in logged.drill.answers]
    return Person(
        file=file,
        digest=hashlib.sha256(data).hexdigest(),
        sessions=tuple(recording.sessions),
        unfollowed=len(recording.sessions) - len(sessions),
        answered=sum(bool(logged.drill.answers) for logged in drills),
        judged=Counter(answer.assessment.judge for answer in answers if answer.assessment.is_graded),
        calibrated=frozenset(
            calibration.examiner for session in sessions for calibration in session.calibrations if calibration.is_good
        ),
        latest={(topic, judge_of(past)): past.depth for past in drills for topic in past.question.topics if past.depth},
        tried=_task_results(attempts),
        held=_held(drills),
        met=frozenset([*_items_in(sessions), *(Item("task", attempt.task) for attempt in attempts)]),
        says=dict(_descriptions(drills, attempts)),
    )


def _followed(sessions: Iterable[list[Event]]) -> Iterator[Session]:
    for events in sessions:
        try:
            yield fold(events)
        except (InvalidTransition, LookupError, ValueError):
            continue  # sessions that raise here are counted in `unfollowed`


def judge_of(past: LoggedDrill) -> str:
    """Return who judged the answers to one question; if two examiners took turns, their names are joined with "and"."""
    judges = {answer.assessment.judge for answer in past.drill.answers if answer.assessment.is_graded}
    return " and ".join(sorted(judges))


def _task_results(attempts: Sequence[LoggedAttempt]) -> dict[str, TaskResult]:
    by_task: dict[str, list[LoggedAttempt]] = {}
    for attempt in attempts:
        by_task.setdefault(attempt.task, []).append(attempt)
    return {
        task: TaskResult(
            len(task_attempts),
            any(attempt.report.verdict is Verdict.PASSED for attempt in task_attempts),
            Counter(mistake.id for attempt in task_attempts for mistake in attempt.report.mistakes),
        )
        for task, task_attempts in by_task.items()
    }


def _held(drills: Sequence[LoggedDrill]) -> dict[MistakeKey, str]:
    """Return each misconception found in any answer, with the examiner that found it."""
    found_by: dict[MistakeKey, set[str]] = {}
    for past in drills:
        for answer in past.drill.answers:
            for belief in answer.assessment.misconceptions:
                key = MistakeKey(Item("question", past.question.id), belief.id)
                found_by.setdefault(key, set()).add(answer.assessment.judge)
    return {key: " and ".join(sorted(judges)) for key, judges in found_by.items()}


def _items_in(sessions: Sequence[Session]) -> Iterator[Item]:
    for session in sessions:
        yield from (Item("question", drill.question) for drill in session.drills)
        yield from (Item("task", work.task) for work in session.works)


def _descriptions(drills: Sequence[LoggedDrill], attempts: Sequence[LoggedAttempt]) -> Iterator[tuple[MistakeKey, str]]:
    for past in drills:
        yield from (
            (MistakeKey(Item("question", past.question.id), misconception.id), misconception.says)
            for misconception in past.question.misconceptions
        )
    for attempt in attempts:
        yield from (
            (MistakeKey(Item("task", attempt.task), mistake.id), mistake.wrong) for mistake in attempt.report.mistakes
        )


@dataclass(frozen=True)
class Catalog:
    """The known content: each item's topics and area, descriptions of mistakes and misconceptions, and task names."""

    topics: Mapping[Item, tuple[str, ...]]
    areas: Mapping[Item, str]
    says: Mapping[MistakeKey, str]
    names: TaskNames = field(default_factory=TaskNames)


@dataclass(frozen=True)
class TopicDepths:
    """The latest depth on one topic of each person in a class, as judged by one examiner; sorted from low to high.

    `unclear_count` is the number of people with too few judged answers for an estimate; they are excluded from the
    median.
    """

    topic: str
    examiner: str
    depths: tuple[float, ...]
    unclear_count: int

    @property
    def people(self) -> int:
        """Return the number of people judged by this examiner on this topic."""
        return len(self.depths) + self.unclear_count

    @property
    def median(self) -> float | None:
        """Return the median depth in rungs; None if nobody has enough judged answers."""
        return statistics.median(self.depths) if self.depths else None


@dataclass(frozen=True)
class TaskStats:
    """For one task: the number of people who tried it, the number who passed it, and the number of submissions."""

    task: str
    tried: int
    passed: int
    submissions: int


@dataclass(frozen=True)
class MistakeStats:
    """For one mistake or misconception: the number of people and submissions.

    `heard_by` maps each examiner to the number of people in whose answers it found the mistake.
    """

    key: MistakeKey
    says: str
    people: int
    submissions: int
    heard_by: Mapping[str, int]


@dataclass(frozen=True)
class ClassSummary:
    """The summary of a class of people: `people` sorted by digest, `topics` by median depth, and mistakes by frequency.

    `unmet` and `unmet_topics` are the questions, tasks and topics that nobody was given.
    """

    people: tuple[Person, ...]
    left_out: int
    topics: tuple[TopicDepths, ...]
    people_by_topic: Mapping[str, int]
    tasks: tuple[TaskStats, ...]
    mistakes: tuple[MistakeStats, ...]
    misconceptions: tuple[MistakeStats, ...]
    catalog: Catalog
    unmet: tuple[Item, ...]
    unmet_topics: tuple[str, ...]

    @property
    def submissions(self) -> int:
        """Return the number of graded submissions."""
        return sum(task.submissions for task in self.tasks)

    def unmet_in(self, area: str, kind: str) -> list[str]:
        """Return the titles of an area's questions or tasks (`kind`) that were never asked."""
        unmet = (item for item in self.unmet if item.kind == kind and self.catalog.areas[item] == area)
        return [self.catalog.names.title_of(item.id) for item in unmet]


def summarize_class(persons: Iterable[Person], left_out: int, catalog: Catalog) -> ClassSummary:
    """Summarize these people's logs; `left_out` is the number of unreadable files."""
    people = sorted(persons, key=lambda person: person.digest)
    met = {item for person in people for item in person.met}
    unmet = [item for item in catalog.topics if item not in met]
    topics_met = {topic for person in people for topic, _ in person.latest}
    topics_met |= {topic for item in met for topic in catalog.topics.get(item, ())}
    return ClassSummary(
        people=tuple(people),
        left_out=left_out,
        topics=tuple(sorted(_topics(people), key=_lowest_first)),
        people_by_topic=Counter(topic for person in people for topic in {topic for topic, _ in person.latest}),
        tasks=tuple(_tasks(people)),
        mistakes=tuple(sorted(_mistakes(people, catalog), key=_most_first)),
        misconceptions=tuple(sorted(_misconceptions(people, catalog), key=_most_first)),
        catalog=catalog,
        unmet=tuple(sorted(unmet)),
        unmet_topics=tuple(sorted({topic for item in unmet for topic in catalog.topics[item]} - topics_met)),
    )


def _topics(people: Sequence[Person]) -> Iterator[TopicDepths]:
    for topic, examiner in sorted({key for person in people for key in person.latest}):
        depths = [person.latest[topic, examiner] for person in people if (topic, examiner) in person.latest]
        clear = sorted(depth.mean for depth in depths if depth.high - depth.low <= INTERVAL_WIDTH_MAX)
        yield TopicDepths(topic, examiner, tuple(clear), len(depths) - len(clear))


def _lowest_first(topic: TopicDepths) -> tuple[bool, float, str, str]:
    return topic.median is None, topic.median or 0.0, topic.topic, topic.examiner


def _tasks(people: Sequence[Person]) -> Iterator[TaskStats]:
    for task in sorted({task for person in people for task in person.tried}):
        results = [person.tried[task] for person in people if task in person.tried]
        passed = sum(result.has_passed for result in results)
        yield TaskStats(task, len(results), passed, sum(result.submissions for result in results))


def _mistakes(people: Sequence[Person], catalog: Catalog) -> Iterator[MistakeStats]:
    person_count: Counter[MistakeKey] = Counter()
    submission_count: Counter[MistakeKey] = Counter()
    for person in people:
        for task, result in person.tried.items():
            for mistake, submissions in result.mistakes.items():
                key = MistakeKey(Item("task", task), mistake)
                person_count[key] += 1
                submission_count[key] += submissions
    for key, count in person_count.items():
        yield MistakeStats(key, _description(key, people, catalog), count, submission_count[key], {})


def _misconceptions(people: Sequence[Person], catalog: Catalog) -> Iterator[MistakeStats]:
    people_by_judge: dict[MistakeKey, Counter[str]] = {}
    for person in people:
        for key, judge in person.held.items():
            people_by_judge.setdefault(key, Counter())[judge] += 1
    for key, judges in people_by_judge.items():
        yield MistakeStats(key, _description(key, people, catalog), judges.total(), 0, judges)


def _description(key: MistakeKey, people: Sequence[Person], catalog: Catalog) -> str:
    """Return the catalog's description; an export's own description is used only if the catalog has no description."""
    if key in catalog.says:
        return catalog.says[key]
    return next((person.says[key] for person in people if key in person.says), key.id)


def _most_first(mistake: MistakeStats) -> tuple[int, int, MistakeKey]:
    return -mistake.people, -mistake.submissions, mistake.key

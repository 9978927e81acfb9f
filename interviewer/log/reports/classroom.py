"""Summarize the exported logs of a class; figures from different examiners are never combined.

A summary holds ids, counts, and depths, and no word of anyone's answers. Sessions that cannot be read are counted.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.errors import NotAnExport
from interviewer.log.history import History, LoggedDrill
from interviewer.log.reports.jsonl import read_lines
from interviewer.session.engine import OutOfTurn, fold
from interviewer.session.events import Event
from interviewer.session.scoring import WIDEST, Depth
from interviewer.session.state import Session


class Item(NamedTuple):
    """Name one piece of content: "question" or "task", and its id."""

    kind: str
    id: str


class MistakeKey(NamedTuple):
    """Name a mistake on file of a task, or a misconception of a question."""

    of: Item
    id: str


@dataclass(frozen=True)
class TaskResult:
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
    tried: Mapping[str, TaskResult]
    held: Mapping[MistakeKey, str]
    met: frozenset[Item]
    says: Mapping[MistakeKey, str]


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


def judge_of(past: LoggedDrill) -> str:
    """Return who judged the answers to one question; two that took turns are named together, as an own kind."""
    judges = {answer.assessment.judge for answer in past.drill.answers if answer.assessment.is_graded}
    return " and ".join(sorted(judges))


def _tried(attempts: Sequence[LoggedAttempt]) -> dict[str, TaskResult]:
    by_task: dict[str, list[LoggedAttempt]] = {}
    for one in attempts:
        by_task.setdefault(one.task, []).append(one)
    return {
        task: TaskResult(
            len(own),
            any(one.report.verdict is Verdict.PASSED for one in own),
            Counter(mistake.id for one in own for mistake in one.report.mistakes),
        )
        for task, own in by_task.items()
    }


def _held(drills: Sequence[LoggedDrill]) -> dict[MistakeKey, str]:
    """Return each misconception with who heard it, in any of the drills."""
    heard_by: dict[MistakeKey, set[str]] = {}
    for past in drills:
        for answer in past.drill.answers:
            for belief in answer.assessment.misconceptions:
                slip = MistakeKey(Item("question", past.question.id), belief.id)
                heard_by.setdefault(slip, set()).add(answer.assessment.judge)
    return {slip: " and ".join(sorted(judges)) for slip, judges in heard_by.items()}


def _put(sessions: Sequence[Session]) -> Iterator[Item]:
    for session in sessions:
        yield from (Item("question", drill.question) for drill in session.drills)
        yield from (Item("task", work.task) for work in session.works)


def _sentences(drills: Sequence[LoggedDrill], attempts: Sequence[LoggedAttempt]) -> Iterator[tuple[MistakeKey, str]]:
    for past in drills:
        yield from (
            (MistakeKey(Item("question", past.question.id), one.id), one.says) for one in past.question.misconceptions
        )
    for attempt in attempts:
        yield from ((MistakeKey(Item("task", attempt.task), one.id), one.wrong) for one in attempt.report.mistakes)


@dataclass(frozen=True)
class Catalog:
    """Hold what there is to meet: the topics and the area of each item, and the sentences that name slips."""

    topics: Mapping[Item, tuple[str, ...]]
    areas: Mapping[Item, str]
    says: Mapping[MistakeKey, str]


@dataclass(frozen=True)
class TopicDepths:
    """Hold the depth of a class in one topic as one examiner found it: the latest of each person, lowest first.

    `unclear_count` is how many people were judged on too little for a figure; they are in no median.
    """

    topic: str
    examiner: str
    depths: tuple[float, ...]
    unclear_count: int

    @property
    def people(self) -> int:
        """Return how many people this examiner judged in this topic."""
        return len(self.depths) + self.unclear_count

    @property
    def median(self) -> float | None:
        """Return the median depth in rungs; None where too little was heard of everybody."""
        return statistics.median(self.depths) if self.depths else None


@dataclass(frozen=True)
class TaskStats:
    """Hold one task: how many people tried it and passed it, and how many submissions there were."""

    task: str
    tried: int
    passed: int
    submissions: int


@dataclass(frozen=True)
class MistakeStats:
    """Hold one mistake or misconception: how many people, how many submissions, and who heard it from how many."""

    slip: MistakeKey
    says: str
    people: int
    submissions: int
    heard_by: Mapping[str, int]


@dataclass(frozen=True)
class ClassSummary:
    """Hold the whole: people in order, topics lowest median first, what was most often first, what nobody met."""

    people: tuple[Person, ...]
    left_out: int
    topics: tuple[TopicDepths, ...]
    people_by_topic: Mapping[str, int]
    tasks: tuple[TaskStats, ...]
    mistakes: tuple[MistakeStats, ...]
    misconceptions: tuple[MistakeStats, ...]
    catalogue: Catalog
    unmet: tuple[Item, ...]
    unmet_topics: tuple[str, ...]

    @property
    def submissions(self) -> int:
        """Return how many submissions were graded."""
        return sum(one.submissions for one in self.tasks)

    def unmet_in(self, area: str, kind: str) -> list[str]:
        """Return the ids of the questions, or tasks, of an area that nobody met."""
        return [item.id for item in self.unmet if item.kind == kind and self.catalogue.areas[item] == area]


def summarize_class(found: Iterable[Person], left_out: int, catalogue: Catalog) -> ClassSummary:
    """Return what these people's logs add up to; `left_out` is how many files could not be read."""
    people = sorted(found, key=lambda one: one.digest)
    met = {item for one in people for item in one.met}
    unmet = [item for item in catalogue.topics if item not in met]
    topics_met = {topic for one in people for topic, _ in one.latest}
    topics_met |= {topic for item in met for topic in catalogue.topics.get(item, ())}
    return ClassSummary(
        people=tuple(people),
        left_out=left_out,
        topics=tuple(sorted(_topics(people), key=_lowest_first)),
        people_by_topic=Counter(topic for one in people for topic in {topic for topic, _ in one.latest}),
        tasks=tuple(_tasks(people)),
        mistakes=tuple(sorted(_mistakes(people, catalogue), key=_most_first)),
        misconceptions=tuple(sorted(_misconceptions(people, catalogue), key=_most_first)),
        catalogue=catalogue,
        unmet=tuple(sorted(unmet)),
        unmet_topics=tuple(sorted({topic for item in unmet for topic in catalogue.topics[item]} - topics_met)),
    )


def _topics(people: Sequence[Person]) -> Iterator[TopicDepths]:
    for topic, examiner in sorted({key for one in people for key in one.latest}):
        found = [one.latest[topic, examiner] for one in people if (topic, examiner) in one.latest]
        clear = sorted(depth.mean for depth in found if depth.high - depth.low <= WIDEST)
        yield TopicDepths(topic, examiner, tuple(clear), len(found) - len(clear))


def _lowest_first(one: TopicDepths) -> tuple[bool, float, str, str]:
    return one.median is None, one.median or 0.0, one.topic, one.examiner


def _tasks(people: Sequence[Person]) -> Iterator[TaskStats]:
    for task in sorted({task for one in people for task in one.tried}):
        tried = [one.tried[task] for one in people if task in one.tried]
        passed = sum(one.has_passed for one in tried)
        yield TaskStats(task, len(tried), passed, sum(one.submissions for one in tried))


def _mistakes(people: Sequence[Person], catalogue: Catalog) -> Iterator[MistakeStats]:
    by: Counter[MistakeKey] = Counter()
    count: Counter[MistakeKey] = Counter()
    for one in people:
        for task, tried in one.tried.items():
            for mistake, times in tried.mistakes.items():
                slip = MistakeKey(Item("task", task), mistake)
                by[slip] += 1
                count[slip] += times
    for slip, number in by.items():
        yield MistakeStats(slip, _sentence(slip, people, catalogue), number, count[slip], {})


def _misconceptions(people: Sequence[Person], catalogue: Catalog) -> Iterator[MistakeStats]:
    heard: dict[MistakeKey, Counter[str]] = {}
    for one in people:
        for slip, judge in one.held.items():
            heard.setdefault(slip, Counter())[judge] += 1
    for slip, by in heard.items():
        yield MistakeStats(slip, _sentence(slip, people, catalogue), by.total(), 0, by)


def _sentence(slip: MistakeKey, people: Sequence[Person], catalogue: Catalog) -> str:
    """Return the catalogue's sentence: a file's own words are taken only where the catalogue has none."""
    if slip in catalogue.says:
        return catalogue.says[slip]
    return next((one.says[slip] for one in people if slip in one.says), slip.id)


def _most_first(one: MistakeStats) -> tuple[int, int, MistakeKey]:
    return -one.people, -one.submissions, one.slip

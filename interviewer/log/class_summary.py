"""A class in one value: what its people's logs add up to; figures of different examiners are never one figure."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from interviewer.log.class_person import Item, Person, Slip
from interviewer.session.depth import WIDEST


@dataclass(frozen=True)
class Catalogue:
    """Hold what there is to meet: the topics and the area of each item, and the sentences that name slips."""

    topics: Mapping[Item, tuple[str, ...]]
    areas: Mapping[Item, str]
    says: Mapping[Slip, str]


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
class TaskTries:
    """Hold one task: how many people tried it and passed it, and how many submissions there were."""

    task: str
    tried: int
    passed: int
    submissions: int


@dataclass(frozen=True)
class Often:
    """Hold one mistake or misconception: how many people, how many submissions, and who heard it from how many."""

    slip: Slip
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
    tasks: tuple[TaskTries, ...]
    mistakes: tuple[Often, ...]
    misconceptions: tuple[Often, ...]
    catalogue: Catalogue
    unmet: tuple[Item, ...]
    unmet_topics: tuple[str, ...]

    @property
    def submissions(self) -> int:
        """Return how many submissions were graded."""
        return sum(one.submissions for one in self.tasks)

    def unmet_in(self, area: str, kind: str) -> list[str]:
        """Return the ids of the questions, or tasks, of an area that nobody met."""
        return [item.id for item in self.unmet if item.kind == kind and self.catalogue.areas[item] == area]


def summarise(found: Iterable[Person], left_out: int, catalogue: Catalogue) -> ClassSummary:
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


def _tasks(people: Sequence[Person]) -> Iterator[TaskTries]:
    for task in sorted({task for one in people for task in one.tried}):
        tried = [one.tried[task] for one in people if task in one.tried]
        passed = sum(one.has_passed for one in tried)
        yield TaskTries(task, len(tried), passed, sum(one.submissions for one in tried))


def _mistakes(people: Sequence[Person], catalogue: Catalogue) -> Iterator[Often]:
    by: Counter[Slip] = Counter()
    count: Counter[Slip] = Counter()
    for one in people:
        for task, tried in one.tried.items():
            for mistake, times in tried.mistakes.items():
                slip = Slip(Item("task", task), mistake)
                by[slip] += 1
                count[slip] += times
    for slip, number in by.items():
        yield Often(slip, _sentence(slip, people, catalogue), number, count[slip], {})


def _misconceptions(people: Sequence[Person], catalogue: Catalogue) -> Iterator[Often]:
    heard: dict[Slip, Counter[str]] = {}
    for one in people:
        for slip, judge in one.held.items():
            heard.setdefault(slip, Counter())[judge] += 1
    for slip, by in heard.items():
        yield Often(slip, _sentence(slip, people, catalogue), by.total(), 0, by)


def _sentence(slip: Slip, people: Sequence[Person], catalogue: Catalogue) -> str:
    """Return the catalogue's sentence: a file's own words are taken only where the catalogue has none."""
    if slip in catalogue.says:
        return catalogue.says[slip]
    return next((one.says[slip] for one in people if slip in one.says), slip.id)


def _most_first(one: Often) -> tuple[int, int, Slip]:
    return -one.people, -one.submissions, one.slip

"""Computes trends: depth by topic over time, the candidate's own marks versus the examiner's, and attempt diffs."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, LoggedDrill
from interviewer.session.assessment import State
from interviewer.session.scoring import is_rung_passed


@dataclass(frozen=True)
class TopicTrend:
    """The judged questions and attempts on one topic, earliest first.

    `rungs` maps each rung to two counts: how often it was passed, and how often it was judged.
    """

    name: str
    drills: tuple[LoggedDrill, ...]
    attempts: tuple[LoggedAttempt, ...]
    rungs: Mapping[int, tuple[int, int]]

    @property
    def depths(self) -> tuple[float, ...]:
        """Return the depth (in rungs) of each judged question, earliest first."""
        return tuple(drill.depth.mean for drill in self.drills if drill.depth)

    @property
    def depth_now(self) -> str:
        """Return the latest depth as text."""
        return str(next((drill.depth for drill in reversed(self.drills) if drill.depth), "not judged"))


@dataclass(frozen=True)
class Agreement:
    """How well the candidate's own marks agree with the examiner's findings, point by point.

    `table` maps each pair (examiner's finding, candidate's mark) to its count. `kappa` is Cohen's kappa for covered
    versus not covered; if it is undefined, `kappa` is None and `why_no_kappa` gives the reason.
    """

    table: Mapping[tuple[State, State], int]
    kappa: float | None
    why_no_kappa: str = ""

    @property
    def points(self) -> int:
        """Return the number of points that have both an examiner's finding and the candidate's own mark."""
        return sum(self.table.values())

    def __str__(self) -> str:
        """Return Cohen's kappa and the number of points, as two sentences."""
        result = f"No kappa: {self.why_no_kappa}" if self.kappa is None else f"Cohen's kappa {self.kappa:.2f}"
        return f"{result}; {self.points} points. A proposed mark that you left unchanged counts as agreement."


def topic_trends(history: History, task_topics: Mapping[str, tuple[str, ...]] | None = None) -> list[TopicTrend]:
    """Return every practiced topic, sorted by name; a repair task counts toward its topics only after it is passed.

    `task_topics` maps task ids to topics, for tasks that were only attempted outside sessions.
    """
    known = {**history.topics_of_task(), **(task_topics or {})}
    hidden = history.tasks_with_hidden_topics()
    drills: dict[str, list[LoggedDrill]] = {}
    attempts: dict[str, list[LoggedAttempt]] = {}
    for drill in history.drills():
        if drill.depth:
            for topic in drill.question.topics:
                drills.setdefault(topic, []).append(drill)
    for attempt in history.attempts():
        for topic in known.get(attempt.task, ()) if attempt.task not in hidden else ():
            attempts.setdefault(topic, []).append(attempt)
    return [
        TopicTrend(name, tuple(drills.get(name, ())), tuple(attempts.get(name, ())), _rungs(drills.get(name, [])))
        for name in sorted({*drills, *attempts})
    ]


def rung_results(past: LoggedDrill) -> dict[int, bool]:
    """Return, by rung number, whether each rung was passed in the end.

    The result contains the rungs with a judged answer, and the rungs that earlier answers passed before the interviewer
    asked about them.
    """
    question, drill = past.question, past.drill
    tried = {answer.rung for answer in drill.answers if answer.has_passed is not None}
    held = {number: is_rung_passed(question, drill, number) for number in range(1, len(question.rungs) + 1)}
    return {number: has_held for number, has_held in held.items() if number in tried or has_held}


def _rungs(drills: list[LoggedDrill]) -> dict[int, tuple[int, int]]:
    judged: Counter[int] = Counter()
    held: Counter[int] = Counter()
    for past in drills:
        for number, has_held in rung_results(past).items():
            judged[number] += 1
            held[number] += has_held
    return {number: (held[number], judged[number]) for number in sorted(judged)}


def mark_agreement(history: History) -> Agreement:
    """Return how well the candidate's own marks agree with the examiner's findings, over all points that have both.

    If the candidate left a proposed mark unchanged, the mark is treated as the candidate's own, because the log does
    not record the difference.
    """
    table: Counter[tuple[State, State]] = Counter()
    for past in history.drills():
        for mark in past.drill.self_marks or ():
            credit = past.drill.credit_of(mark.point)
            table[(credit.state if credit else State.MISSING, mark.state)] += 1
    return _with_kappa(table)


def _with_kappa(table: Counter[tuple[State, State]]) -> Agreement:
    total = sum(table.values())
    if not total:
        return Agreement(table, None, "no point was marked by both you and the examiner")
    covered: Counter[tuple[bool, bool]] = Counter()
    for (machine, own), count in table.items():
        covered[(machine.credit > 0, own.credit > 0)] += count
    machine_yes = (covered[(True, True)] + covered[(True, False)]) / total
    own_yes = (covered[(True, True)] + covered[(False, True)]) / total
    observed = (covered[(True, True)] + covered[(False, False)]) / total
    expected = machine_yes * own_yes + (1 - machine_yes) * (1 - own_yes)
    if expected == 1:
        why = "you and the examiner gave every point the same mark, so agreement beyond chance is undefined"
        return Agreement(table, None, why)
    return Agreement(table, (observed - expected) / (1 - expected))


@dataclass(frozen=True)
class AttemptComparison:
    """Two attempts and their differences; `diff` is a unified diff, empty if the code is the same.

    `verdicts` lists (case, verdict before, verdict after) for each case whose verdict changed; the verdict of a missing
    case is None.
    """

    before: LoggedAttempt
    after: LoggedAttempt
    diff: str
    verdicts: tuple[tuple[str, Verdict | None, Verdict | None], ...]


def compare_attempts(before: LoggedAttempt, after: LoggedAttempt) -> AttemptComparison:
    """Return the differences between two attempts."""
    lines = difflib.unified_diff(
        before.source.splitlines(), after.source.splitlines(), before.id, after.id, lineterm="", n=3
    )
    earlier = {case.name: case.verdict for case in before.report.cases}
    later = {case.name: case.verdict for case in after.report.cases}
    changed = [
        (name, earlier.get(name), later.get(name))
        for name in {**earlier, **later}
        if earlier.get(name) != later.get(name)
    ]
    return AttemptComparison(before, after, "\n".join(lines), tuple(changed))


def best_seconds(attempts: Sequence[LoggedAttempt]) -> float | None:
    """Return the shortest measured time in seconds from opening a task to passing it without hints, or None."""
    times = [
        attempt.wall_seconds
        for attempt in attempts
        if attempt.wall_seconds is not None and not attempt.hints and attempt.report.verdict is Verdict.PASSED
    ]
    return min(times, default=None)

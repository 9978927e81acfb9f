"""Distributes submissions across nodes: keeps each node busy, retries lost work elsewhere, and never invents a verdict.

Submissions are read only when a node has room for them, so memory use does not depend on the number of submissions.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graders.errors import GradingError
from graders.verdict import Report, report_from_json
from interviewer.cli.batch.node import Answer
from interviewer.errors import InterviewerError

# A submission whose node is lost is retried at most this many times in total; after that, it is left ungraded.
RETRIES = 2
# Each grading worker on a node has one submission running and one waiting, so that no worker waits for the network.
WAITING_PER_WORKER = 1
# A node that is lost this many times without a result in between is not used again. Even if three submissions in a row
# take the node down on every attempt, this limit is not reached.
LOSSES_MAX = 3 * (1 + RETRIES) + 1
REFRESH_SECONDS = 5.0
NOTE_SECONDS = 30.0
PATIENCE_SECONDS = 300.0
Ref = Hashable


@dataclass(frozen=True)
class Submission:
    """A submission to grade: its file name, its text, and a digest of the text."""

    name: str
    source: str
    digest: str


Graded = tuple[Submission, Report | GradingError]


class NodeLost(Exception):
    """A node disappeared; the state of its work is unknown."""


class Nodes(Protocol):
    """The nodes of a cluster. A `Ref` is a reference to an answer that a node will return."""

    def available(self) -> Mapping[str, int]:
        """Return the number of grading workers on each node that is alive, by node id."""
        ...

    def start(self, node: str) -> Ref:
        """Start grading on a node; the answer is {} if the node is ready."""
        ...

    def check(self, node: str) -> Ref:
        """Check a started node again; the answer is {} if the node is ready."""
        ...

    def grade(self, node: str, source: str) -> Ref:
        """Grade a submission on a started node."""
        ...

    def stop(self, node: str) -> None:
        """Stop grading on a node that is lost or that will not be used again."""
        ...

    def wait(self, refs: Sequence[Ref], seconds: float) -> Ref | None:
        """Return one of `refs` whose answer has arrived; None if no answer arrives in time."""
        ...

    def answer(self, ref: Ref) -> Answer:
        """Return an answer that has arrived. Raises NodeLost if the node disappeared."""
        ...

    def name(self, node: str) -> str:
        """Return a node's display name."""
        ...


@dataclass
class _Work:
    """A submission that is being graded, its failure count so far, and the last failure and its node."""

    submission: Submission
    failures: int = 0
    last_error: GradingError | None = None
    last_node: str = ""


@dataclass
class _Node:
    """A started node: the submissions assigned to it, in order, and whether it can take more."""

    workers: int
    is_ready: bool = False
    running: dict[Ref, _Work] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Return how many more submissions the node can take."""
        return self.workers * (1 + WAITING_PER_WORKER) - len(self.running) if self.is_ready else 0


class Dispatcher:
    """Grades submissions on a cluster's nodes.

    `tell` is called with a line of text when a node is lost, when a node will not be used, and during a long wait.
    """

    def __init__(self, nodes: Nodes, tell: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._nodes = nodes
        self._tell = tell
        self._now = now
        self._started: dict[str, _Node] = {}
        self._checks: dict[Ref, str] = {}
        self._again: deque[_Work] = deque()
        self._upcoming: Submission | None = None
        self._losses: Counter[str] = Counter()
        self._why_unused: dict[str, str] = {}
        self._ready_at = self._noted_at = now()
        self._refresh_at = self._ready_at

    def run(self, submissions: Iterator[Submission]) -> Iterator[Graded]:
        """Yield each submission with its report, or with the grader's failure, as soon as the result arrives.

        Raises InterviewerError if no node can grade.
        """
        self._upcoming = next(submissions, None)
        while True:
            self._fill(submissions)
            running = [ref for node in self._started.values() for ref in node.running]
            if not running and not self._again and not self._upcoming:
                return
            self._refresh()
            ref = self._nodes.wait([*running, *self._checks], REFRESH_SECONDS)
            if ref in self._checks:
                yield from self._take_check(ref)
            elif ref is not None:
                yield from self._take_grade(ref)

    def _refresh(self) -> None:
        """Start newly joined nodes and lost nodes that are alive again.

        Raises InterviewerError if the cluster cannot be used.
        """
        now = self._now()
        if now >= self._refresh_at:
            self._refresh_at = now + REFRESH_SECONDS
            for name, workers in self._nodes.available().items():
                if name not in self._started and name not in self._why_unused:
                    self._started[name] = _Node(workers)
                    self._checks[self._nodes.start(name)] = name
        if any(node.is_ready for node in self._started.values()):
            self._ready_at = now
            return
        waited = now - self._ready_at
        if (self._why_unused and not self._started) or waited > PATIENCE_SECONDS:
            reasons = [*self._why_unused.values(), f"no node was ready within {waited:.0f} s"]
            raise InterviewerError(
                f"no node can grade: {reasons[0]}",
                "Fix the node, then continue from a CSV file with --resume.",
                "cluster",
            )
        if now - max(self._ready_at, self._noted_at) > NOTE_SECONDS:
            self._noted_at = now
            self._tell(f"Still waiting for a node, {waited:.0f} s so far; {len(self._started)} starting.")

    def _fill(self, submissions: Iterator[Submission]) -> None:
        """Assign work to the nodes until no node has room or no work is left."""
        while True:
            for name in sorted(self._started, key=lambda name: self._started[name].room, reverse=True):
                if self._started[name].room > 0 and (work := self._next(name, submissions)):
                    self._started[name].running[self._nodes.grade(name, work.submission.source)] = work
                    break
            else:
                return

    def _next(self, name: str, submissions: Iterator[Submission]) -> _Work | None:
        """Return the next work item for this node; lost work goes to a different node if one is ready."""
        is_alone = not any(node.is_ready for other, node in self._started.items() if other != name)
        for work in self._again:
            if is_alone or work.last_node != name:
                self._again.remove(work)
                return work
        submission, self._upcoming = self._upcoming, next(submissions, None)
        return _Work(submission) if submission else None

    def _take_check(self, ref: Ref) -> Iterator[Graded]:
        name = self._checks.pop(ref)
        try:
            error = _error_in(self._nodes.answer(ref))
        except NodeLost as lost:
            yield from self._lose(name, str(lost))
            return
        if error:
            yield from self._lose(name, "", error)
        elif not self._started[name].is_ready:
            self._started[name].is_ready = True

    def _take_grade(self, ref: Ref) -> Iterator[Graded]:
        name = next(name for name, node in self._started.items() if ref in node.running)
        try:
            answer = self._nodes.answer(ref)
        except NodeLost as lost:
            yield from self._lose(name, str(lost))
            return
        node = self._started[name]
        work = node.running.pop(ref)
        if error := _error_in(answer):
            yield from self._fail(work, name, error)
            if node.is_ready:
                # The submission or the node may be at fault. A node that cannot grade the reference gets no more
                # submissions.
                node.is_ready = False
                self._checks[self._nodes.check(name)] = name
            return
        self._losses[name] = 0
        yield work.submission, report_from_json(answer["report"])

    def _fail(self, work: _Work, name: str, error: GradingError) -> Iterator[Graded]:
        """Count a failure on our side; the submission is retried or, after the last attempt, reported as ungraded."""
        work.failures += 1
        work.last_node, work.last_error = name, error
        if work.failures > RETRIES:
            yield work.submission, error
        else:
            self._again.append(work)

    def _lose(self, name: str, why: str, refusal: GradingError | None = None) -> Iterator[Graded]:
        """Stop using a node, permanently if it was refused; its submissions are retried on other nodes."""
        node, shown = self._started.pop(name), self._nodes.name(name)
        self._checks = {ref: other for ref, other in self._checks.items() if other != name}
        self._nodes.stop(name)
        self._losses[name] += 1
        if refusal or self._losses[name] >= LOSSES_MAX:
            self._why_unused[name] = f"{shown}: {refusal.message}" if refusal else f"{shown} was lost repeatedly: {why}"
            self._tell(f"Not used: {self._why_unused[name]}" + (f" {refusal.fix}" if refusal else ""))
        else:
            self._tell(f"Lost: {shown}: {why}")
        self._refresh_at = self._now()
        lost = GradingError(f"its node was lost {1 + RETRIES} times", "Use --resume to try again.", "NodeLost")
        for place, work in enumerate(node.running.values()):
            if place < node.workers:
                yield from self._fail(work, name, refusal or lost)
            else:  # The submission had not started, so it cannot have caused the loss of the node.
                work.last_node = name
                self._again.append(work)


def _error_in(answer: Answer) -> GradingError | None:
    error = answer.get("error")
    return GradingError(error["message"], error["fix"], error["kind"]) if error else None

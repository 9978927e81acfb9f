"""Nodes without Ray: they reply in turn as a function specifies, and can be lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from graders.verdict import Verdict
from interviewer.cli.batch.dispatch import NodeLost, Ref
from interviewer.cli.batch.node import Answer
from tests.session.build import report

PASSED: Answer = {"report": report().to_json()}
WRONG: Answer = {"report": report(Verdict.WRONG_VALUE, "max_for_min").to_json()}
FAILED: Answer = {"error": {"kind": "WorkerDied", "message": "the grading worker exited", "fix": "Submit again."}}
Behavior = Callable[[str, str], Answer]


class FakeNodes:
    """Replies in the order of the requests; `behave(node, source)` returns an answer or raises NodeLost.

    `checks` contains the answers to a node's checks, in order; later checks are answered with {}. The grades of a node
    in `slow` arrive only if nothing else does.
    """

    def __init__(self, workers: Mapping[str, int], behave: Behavior = lambda node, source: PASSED) -> None:
        self.workers = dict(workers)
        self.behave = behave
        self.checks: dict[str, list[Answer]] = {}
        self.slow: set[str] = set()
        self.started: list[str] = []
        self.stopped: list[str] = []
        self.asked: list[tuple[str, str]] = []
        self.most_waiting = 0
        self.clock = 0.0
        self._waiting: dict[int, tuple[str, str | None]] = {}
        self._count = 0

    def now(self) -> float:
        return self.clock

    def available(self) -> Mapping[str, int]:
        return dict(self.workers)

    def start(self, node: str) -> Ref:
        self.started.append(node)
        return self.check(node)

    def check(self, node: str) -> Ref:
        return self._ask(node, None)

    def grade(self, node: str, source: str) -> Ref:
        self.asked.append((node, source))
        return self._ask(node, source)

    def stop(self, node: str) -> None:
        self.stopped.append(node)
        self._waiting = {ref: asked for ref, asked in self._waiting.items() if asked[0] != node}

    def wait(self, refs: Sequence[Ref], seconds: float) -> Ref | None:
        first = min((ref for ref in self._waiting if ref in refs), key=self._arrival, default=None)
        self.clock += seconds if first is None else 0.01
        return first

    def answer(self, ref: Ref) -> Answer:
        assert isinstance(ref, int)
        node, source = self._waiting.pop(ref)
        if source is None:
            return self.checks[node].pop(0) if self.checks.get(node) else {}
        return self.behave(node, source)

    def name(self, node: str) -> str:
        return f"node {node}"

    def _arrival(self, ref: int) -> tuple[bool, int]:
        node, source = self._waiting[ref]
        return source is not None and node in self.slow, ref

    def _ask(self, node: str, source: str | None) -> Ref:
        self._count += 1
        self._waiting[self._count] = node, source
        self.most_waiting = max(self.most_waiting, len(self._waiting))
        return self._count


def lost() -> Answer:
    raise NodeLost("the process was killed")

"""Names the one or two recorded mistakes that a submission makes; names none when the evidence is ambiguous."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import combinations

from graders.compare import Expected, compare, want
from graders.outcomes import failure
from graders.reference import run_trusted
from graders.runs import Plan, Setting
from graders.verdict import Diagnosis, Outcome, Verdict
from graders.wire import Record, Unsent
from tasks.task import Mistake

# Each takes milliseconds, and seconds where ranks are forked; a busy machine must not cost the diagnosis.
SECONDS_MAX = 20.0
Records = list[list[Record]]


def diagnose(plan: Plan, records: Records, outcomes: Sequence[Outcome]) -> Diagnosis | None:
    """Return the mistake whose outputs the submission has on every case, else the only one that fails like it, else
    two that it makes together.

    Assumes: each mistake fails exactly its `caught_by`, which the content gate proves; so no other is run.
    """
    failed = {outcome.name for outcome in outcomes if outcome.verdict is not Verdict.PASSED}
    if not failed or any(outcome.verdict is Verdict.NOT_LOADED for outcome in outcomes):
        return None
    own = [run_records for run, run_records in zip(plan.runs, records, strict=True) if run.relation is None]
    search = _Search(plan, own)
    similar = []
    for mistake in plan.task.mistakes:
        if set(mistake.caught_by) == failed and search.has_time:
            if search.is_alike(mistake, failed):
                return _diagnosis(mistake)
            if all(_has_same_end(*pair) for pair in zip(own, search.outputs(mistake), strict=True)):
                similar.append(mistake)
    if len(similar) == 1:
        return _diagnosis(similar[0])
    return None if similar else search.pair(failed)


class _Search:
    """Run mistakes on the submission's inputs, each once, until the time is up."""

    def __init__(self, plan: Plan, own: Records) -> None:
        self._plan = plan
        self._own = own
        self._outputs: dict[str, Records] = {}
        self._deadline = time.monotonic() + SECONDS_MAX

    @property
    def has_time(self) -> bool:
        return time.monotonic() < self._deadline

    def outputs(self, mistake: Mistake) -> Records:
        """Return what the mistake puts out, for each case of the plan."""
        if mistake.id not in self._outputs:
            self._outputs[mistake.id] = run_trusted(
                self._plan, self._plan.base_runs, mistake.source, Setting(group_seconds=1.0)
            )
        return self._outputs[mistake.id]

    def is_alike(self, mistake: Mistake, cases: set[str]) -> bool:
        """Return whether the submission does on all these cases what the mistake does."""
        pairs = zip(self._plan.base_runs, self._own, self.outputs(mistake), strict=True)
        return all(_is_same(self._plan, left, right) for run, left, right in pairs if run.case.name in cases)

    def pair(self, failed: set[str]) -> Diagnosis | None:
        """Return the only two mistakes that together fail these cases, each alone seen where the other is right."""
        part_of = [mistake for mistake in self._plan.task.mistakes if set(mistake.caught_by) < failed]
        pairs = []
        for first, second in combinations(part_of, 2):
            alone = set(first.caught_by) - set(second.caught_by), set(second.caught_by) - set(first.caught_by)
            if not all(alone) or {*first.caught_by, *second.caught_by} != failed:
                continue
            if not self.has_time:
                return None
            if self.is_alike(first, alone[0]) and self.is_alike(second, alone[1]):
                pairs.append((first, second))
        return _diagnosis(*pairs[0]) if len(pairs) == 1 else None


def is_alike(plan: Plan, own: Records, theirs: Records) -> bool:
    """Return whether two programs ended alike, with the same outputs within tolerance, on every run and rank."""
    return all(_is_same(plan, left, right) for left, right in zip(own, theirs, strict=True))


def _is_same(plan: Plan, left: list[Record], right: list[Record]) -> bool:
    if not _has_same_end(left, right):
        return False
    return bool(failure(left)) or all(_has_same_outputs(plan, *pair) for pair in zip(left, right, strict=True))


def _has_same_end(left: list[Record], right: list[Record]) -> bool:
    ends = [end.verdict if (end := failure(records)) else None for records in (left, right)]
    return ends[0] is ends[1]


def _has_same_outputs(plan: Plan, got: Record, mistaken: Record) -> bool:
    leaves = [*mistaken.leaves.values(), *mistaken.gradients.values()]
    if got.mutated != mistaken.mutated or any(isinstance(leaf, Unsent) for leaf in leaves):
        return False
    slopes = {name: want(slope) for name, slope in mistaken.gradients.items() if slope is not None}
    without = tuple(name for name in mistaken.gradients if name not in slopes)
    right = Expected({path: want(leaf) for path, leaf in mistaken.leaves.items()}, slopes, without)
    return compare(right, got, plan.task.tolerance).verdict is Verdict.PASSED


def _diagnosis(mistake: Mistake, beside: Mistake | None = None) -> Diagnosis:
    return Diagnosis(mistake.id, mistake.wrong, mistake.ask, _diagnosis(beside) if beside else None)

"""Names the mistake on file that a submission makes; says nothing rather than guess between two."""

from __future__ import annotations

import time
from collections.abc import Sequence

from graders.compare import Expected, compare, want
from graders.judge import failure
from graders.plan import Plan, Setting
from graders.trusted import run_trusted
from graders.verdict import Diagnosis, Outcome, Verdict
from graders.wire import Record, Unsent
from tasks.task import Mistake

# Each takes milliseconds, and seconds where ranks are forked; a busy machine must not cost the diagnosis.
SECONDS_MAX = 20.0


def diagnose(plan: Plan, records: list[list[Record]], outcomes: Sequence[Outcome]) -> Diagnosis | None:
    """Return the mistake whose outputs the submission has on every case, else the only one that fails like it.

    Assumes: each mistake fails exactly its `caught_by`, which the content gate proves; so no other is run.
    """
    failed = {outcome.name for outcome in outcomes if outcome.verdict is not Verdict.PASSED}
    candidates = [mistake for mistake in plan.task.mistakes if set(mistake.caught_by) == failed]
    if not failed or not candidates or any(outcome.verdict is Verdict.NOT_LOADED for outcome in outcomes):
        return None
    own = [found for run, found in zip(plan.runs, records, strict=True) if run.relation is None]
    deadline = time.monotonic() + SECONDS_MAX
    similar = []
    for mistake in candidates:
        if time.monotonic() > deadline:
            return None
        theirs = run_trusted(plan, plan.base_runs, mistake.source, Setting(group_seconds=1.0))
        if is_alike(plan, own, theirs):
            return _diagnosis(mistake)
        if all(_has_same_end(*pair) for pair in zip(own, theirs, strict=True)):
            similar.append(mistake)
    return _diagnosis(similar[0]) if len(similar) == 1 else None


def is_alike(plan: Plan, own: list[list[Record]], theirs: list[list[Record]]) -> bool:
    """Return whether two programs ended alike, with the same outputs within tolerance, on every run and rank."""
    return all(
        _has_same_end(left, right)
        and (failure(left) or all(_has_same_outputs(plan, *pair) for pair in zip(left, right, strict=True)))
        for left, right in zip(own, theirs, strict=True)
    )


def _has_same_end(left: list[Record], right: list[Record]) -> bool:
    ends = [end.verdict if (end := failure(found)) else None for found in (left, right)]
    return ends[0] is ends[1]


def _has_same_outputs(plan: Plan, got: Record, mistaken: Record) -> bool:
    leaves = [*mistaken.leaves.values(), *mistaken.gradients.values()]
    if got.mutated != mistaken.mutated or any(isinstance(leaf, Unsent) for leaf in leaves):
        return False
    slopes = {name: want(slope) for name, slope in mistaken.gradients.items() if slope is not None}
    without = tuple(name for name in mistaken.gradients if name not in slopes)
    right = Expected({path: want(leaf) for path, leaf in mistaken.leaves.items()}, slopes, without)
    return compare(right, got, plan.task.tolerance).verdict is Verdict.PASSED


def _diagnosis(mistake: Mistake) -> Diagnosis:
    return Diagnosis(mistake.id, mistake.wrong, mistake.ask)

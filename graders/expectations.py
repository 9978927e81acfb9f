"""Works out what is right for each case: values in float64, dtype and shape as the float32 reference has them.

A literal of the case wins over the task's `expected` function, which wins over the reference.
"""

from __future__ import annotations

from typing import Any

import torch

from graders.compare import Expected, Want, in_float64, kind_of
from graders.errors import ContentBroken
from graders.reference import run_trusted
from graders.runner.calls import flatten
from graders.runs import Plan, Run, Setting
from graders.wire import Record
from tasks.task import PerRank


def expectations(plan: Plan) -> list[list[Expected]]:
    """Return what is right for each case of the plan, on each of its ranks.

    Raises: ContentBroken when the reference fails or disagrees with a literal about paths or shapes.
    """
    coarse = run_trusted(plan, plan.base_runs, plan.task.reference, Setting())
    exact = run_trusted(plan, plan.base_runs, plan.task.reference, Setting(is_float64=True))
    rights = {
        id(run.case): [_expected(plan, run, rank, *pair) for rank, pair in enumerate(zip(*ranks, strict=True))]
        for run, *ranks in zip(plan.base_runs, coarse, exact, strict=True)
    }
    return [rights[id(case)] for case in plan.cases]


def _expected(plan: Plan, run: Run, rank: int, coarse: Record, exact: Record) -> Expected:
    case = run.case
    for record in (coarse, exact):
        if record.status != "ok":
            raise _broken(plan, run, f"the reference {record.status}: {dict(record.failure)}")
    values = dict(exact.leaves)
    given = case.expected
    if given is None and plan.expected is not None:
        given = plan.expected(case)
    if given is not None:
        given = given.values[rank] if isinstance(given, PerRank) else given
        values = dict(flatten(_as_tensors(given), plan.task.returns))
    if set(values) != set(coarse.leaves):
        raise _broken(plan, run, f"the reference returns {sorted(coarse.leaves)}, expected are {sorted(values)}")
    outputs = {}
    for path, leaf in coarse.leaves.items():
        right = in_float64(values[path])
        if right.shape != torch.as_tensor(leaf).shape:
            shapes = f"{list(torch.as_tensor(leaf).shape)} from the reference, {list(right.shape)} expected"
            raise _broken(plan, run, f"{path}: shapes differ: {shapes}")
        outputs[path] = Want(right, kind_of(leaf))
    slopes = {name: exact.gradients.get(name) for name in case.grads}
    lost = [name for name, slope in slopes.items() if slope is None]
    if lost:
        raise _broken(plan, run, f"the reference gives no gradient for {lost}, which `grads` names")
    gradients = {
        name: Want(slope.to(torch.float64), kind_of(coarse.gradients[name]))
        for name, slope in slopes.items()
        if slope is not None
    }
    return Expected(outputs, gradients, case.constants, plan.task.detached)


def _as_tensors(value: Any) -> Any:
    """Return a literal with its lists of numbers as tensors; tuples and dicts are structure."""
    if isinstance(value, dict):
        return {key: _as_tensors(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_as_tensors(item) for item in value)
    return torch.tensor(value, dtype=torch.float64) if isinstance(value, list) else value


def _broken(plan: Plan, run: Run, why: str) -> ContentBroken:
    fix = f"Mend the task: python -m graders.gate.check {plan.task.id}"
    return ContentBroken(f"{plan.task.id}: case {run.case.name} (seed {run.seed}): {why}", fix)

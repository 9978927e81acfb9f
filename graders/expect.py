"""Works out what is right for each case: values in float64, dtype and shape as the float32 reference has them.

A literal of the case wins over the task's `expected` function, which wins over the reference.
"""

from __future__ import annotations

from typing import Any

import torch

from graders.compare import Expected, Want, kind_of
from graders.errors import ContentBroken
from graders.inside import flatten
from graders.plan import Plan, Setting
from graders.trusted import run_trusted
from graders.wire import Record
from tasks.task import Case, PerRank


def expectations(plan: Plan) -> list[list[Expected]]:
    """Return what is right for each case of the plan, on each of its ranks.

    Raises: ContentBroken when the reference fails or disagrees with a literal about paths or shapes.
    """
    coarse = run_trusted(plan, plan.base_runs, plan.task.reference, Setting(group_seconds=plan.group_seconds))
    setting = Setting(is_float64=True, group_seconds=plan.group_seconds)
    exact = run_trusted(plan, plan.base_runs, plan.task.reference, setting)
    return [
        [_expected(plan, case, rank, *pair) for rank, pair in enumerate(zip(ranks32, ranks64, strict=True))]
        for case, ranks32, ranks64 in zip(plan.cases, coarse, exact, strict=True)
    ]


def _expected(plan: Plan, case: Case, rank: int, coarse: Record, exact: Record) -> Expected:
    for record in (coarse, exact):
        if record.status != "ok":
            raise _broken(plan, case, f"the reference {record.status}: {dict(record.failure)}")
    values = dict(exact.leaves)
    given = case.expected
    if given is None and plan.expected is not None:
        given = plan.expected(case)
    if given is not None:
        given = given.values[rank] if isinstance(given, PerRank) else given
        values = dict(flatten(_as_tensors(given), plan.task.returns))
    if set(values) != set(coarse.leaves):
        raise _broken(plan, case, f"the reference returns {sorted(coarse.leaves)}, expected are {sorted(values)}")
    outputs = {}
    for path, leaf in coarse.leaves.items():
        right = torch.as_tensor(values[path]).to(torch.float64)
        if right.shape != torch.as_tensor(leaf).shape:
            shapes = f"{list(torch.as_tensor(leaf).shape)} from the reference, {list(right.shape)} expected"
            raise _broken(plan, case, f"{path}: shapes differ: {shapes}")
        outputs[path] = Want(right, kind_of(leaf))
    slopes = {name: exact.gradients.get(name) for name in case.grads}
    lost = [name for name, slope in slopes.items() if slope is None]
    if lost:
        raise _broken(plan, case, f"the reference gives no gradient for {lost}, which `grads` names")
    gradients = {
        name: Want(slope.to(torch.float64), kind_of(coarse.gradients[name]))
        for name, slope in slopes.items()
        if slope is not None
    }
    return Expected(outputs, gradients, case.constants)


def _as_tensors(value: Any) -> Any:
    """Return a literal with its lists of numbers as tensors; tuples and dicts are structure."""
    if isinstance(value, dict):
        return {key: _as_tensors(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_as_tensors(item) for item in value)
    return torch.tensor(value, dtype=torch.float64) if isinstance(value, list) else value


def _broken(plan: Plan, case: Case, why: str) -> ContentBroken:
    fix = f"Mend the task: python -m graders.check {plan.task.id}"
    return ContentBroken(f"{plan.task.id}: case {case.name} (seed {plan.seed}): {why}", fix)

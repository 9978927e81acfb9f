"""Shows that a task's tolerances tell right from nearly right: in lower precision the reference itself must fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import torch

from graders.compare import Expected, Want, tolerance_of
from tasks.task import Case, Task

SPREAD_MIN = 100.0

# The submission's own function, its floating inputs and outputs rounded to bfloat16 on the way.
_LOWERED = """

def _rounded(value):
    import torch

    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.to(torch.bfloat16).to(value.dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(_rounded(item) for item in value)
    return {{key: _rounded(item) for key, item in value.items()}} if isinstance(value, dict) else value


_exact_{entry} = {entry}


def {entry}({parameters}):
    return _rounded(_exact_{entry}({rounded}))
"""


def lowered(task: Task) -> str | None:
    """Return the reference with its inputs and outputs rounded to bfloat16, the next precision below float32.

    None for tasks that this says nothing about: a harness hands over models, an estimate computes in Python's floats.
    """
    if task.harness or task.kind != "implement":
        return None
    (function,) = ast.parse(f"def {task.signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    if function.args.vararg or function.args.kwarg or function.args.kwonlyargs:
        return None
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    parameters = task.signature.partition("(")[2].rpartition(")")[0]
    return task.reference + _LOWERED.format(
        entry=task.entry, parameters=parameters, rounded=", ".join(f"_rounded({name})" for name in names)
    )


def has_floats(cases: Sequence[Case]) -> bool:
    """Return whether any case hands over floating tensors; without any there is no precision to lower."""
    return any(
        isinstance(value, torch.Tensor) and value.is_floating_point() for case in cases for value in case.args.values()
    )


def flat_cases(task: Task, cases: Sequence[Case], rights: Sequence[Sequence[Expected]]) -> Iterator[tuple[str, float]]:
    """Yield the random cases whose main output hardly spreads, with its spread over tolerance.

    Such a case passes whatever is near its one value. The main output is the first; of a dict, the one that spreads
    most.
    """
    for case, ranks in zip(cases, rights, strict=True):
        if case.expected is None and (spread := max(_spread(task, right) for right in ranks)) < SPREAD_MIN:
            yield case.name, spread


def _spread(task: Task, right: Expected) -> float:
    first = task.returns[0] if task.returns else ""
    outputs = [right.outputs[first]] if first in right.outputs else list(right.outputs.values())
    return max((_spread_of(task, one) for one in outputs), default=0.0)


def _spread_of(task: Task, one: Want) -> float:
    """Return max - min of an output over its tolerance; a single number spreads from 0."""
    finite = one.values[one.values.isfinite()]
    if not finite.numel():
        return 0.0
    tolerance = tolerance_of(one.kind, task.tolerance)
    low = finite.min() if one.values.numel() > 1 else torch.zeros_like(finite[0])
    spread = float((finite.max() - low).abs())
    bound = tolerance.atol + tolerance.rtol * float(finite.abs().max())
    return spread / bound if bound else float("inf")

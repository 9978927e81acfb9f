"""Finds cases with inputs at a kink, where only the statement can decide between several correct gradients.

Each floating-point input is perturbed slightly in both directions. If the gradient is smooth, moving the input twice as
far changes the gradient twice as much, and the gradient at the input itself is halfway between the gradients at the two
moved inputs. Any deviation from this is treated as a jump.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from graders.compare import kind_of, tolerance_of
from graders.plan import Plan, Run, Setting
from graders.reference import run_trusted
from graders.wire import Record

# This is about eight float32 rounding errors, so a kink is detected if rounding could push an input across it.
MOVE = 2.0**-20
DIRECTIONS = 3
SIZES = (1.0, -1.0, 0.5, -0.5, 0.0)
# A jump counts only if it is more than this many times the tolerance. `MISTAKE_RATIO_MIN` in graders.gate.proof is the
# same factor for a mistake's error.
JUMP_RATIO_MIN = 10.0


def jumps(plan: Plan) -> Iterator[tuple[str, str, float]]:
    """Yield each case and argument for which the reference's gradient jumps within a small step, with the jump's size.

    The size is the ratio of the jump to the tolerance. Multi-rank cases and cases whose gradients are not compared are
    skipped.
    """
    tried = [run for run in plan.base_runs if run.case.grads and run.case.world == 1]
    moved = [
        replace(run, args=_moved(run.args, size, torch.Generator().manual_seed(direction)))
        for run in tried
        for direction in range(DIRECTIONS)
        for size in SIZES
    ]
    records = [ranks[0] for ranks in run_trusted(plan, moved, plan.task.reference, Setting(is_float64=True))]
    step = DIRECTIONS * len(SIZES)
    for place, run in enumerate(tried):
        yield from _jumps_of(plan, run, records[place * step : (place + 1) * step])


def _jumps_of(plan: Plan, run: Run, records: Sequence[Record]) -> Iterator[tuple[str, str, float]]:
    for name in run.case.grads:
        ratio = 0.0
        for start in range(0, len(records), len(SIZES)):
            taken = [record.gradients.get(name) for record in records[start : start + len(SIZES)]]
            slopes = [slope for slope in taken if isinstance(slope, torch.Tensor)]
            if len(slopes) < len(SIZES):
                continue
            far, far_back, near, near_back, here = slopes
            jump = ((far - far_back) - 2 * (near - near_back)).abs().maximum((near + near_back - 2 * here).abs())
            tolerance = tolerance_of(kind_of(run.args[name]), plan.task.tolerance)
            over = jump / (tolerance.atol + tolerance.rtol * here.abs())
            ratio = max(ratio, float(over.nan_to_num(nan=0.0, posinf=0.0).max()) if over.numel() else 0.0)
        if ratio > JUMP_RATIO_MIN:
            yield run.case.name, name, ratio


def _moved(value: Any, size: float, source: torch.Generator) -> Any:
    """Move every floating-point tensor in a direction drawn from `source`, in units of MOVE."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        exact = value.detach().to(torch.float64)
        drawn = torch.rand(exact.shape, generator=source, dtype=torch.float64)
        direction = torch.where(drawn < 0.5, drawn - 1.0, drawn)  # each factor is in [-1, -0.5) or [0.5, 1)
        return exact + size * MOVE * direction * exact.abs().clamp(min=1.0)
    if isinstance(value, dict):
        return {key: _moved(item, size, source) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_moved(item, size, source) for item in value)
    return value

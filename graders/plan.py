"""Plans the runs that grade a submission, in a fixed order: each case of a seed, followed by its metamorphic checks."""

from __future__ import annotations

import ast
import copy
import random
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from graders.errors import ContentBroken
from graders.wire import Inputs, encode, pack
from tasks.task import Args, Case, Relation, Task

GROUP_SECONDS_MAX = 8.0
COTANGENTS: tuple[float, ...] = tuple(sign / 2**power for power in range(1, 5) for sign in (1, -1))


@dataclass(frozen=True)
class Run:
    """One call to the entry function: the arguments, and the case and seed it belongs to."""

    case: Case
    seed: int
    args: Args
    relation: Relation | None = None


@dataclass(frozen=True)
class Plan:
    """The cases for one seed, in the task's order, and all runs, grouped by the kind of rank group that they need.

    A case's own run comes before the runs that check its relations.
    """

    task: Task
    seed: int
    cases: tuple[Case, ...]
    runs: tuple[Run, ...]
    expected: Callable[[Case], Any] | None

    @property
    def is_distributed(self) -> bool:
        """Return whether any case has more than one rank."""
        return any(case.world > 1 for case in self.cases)

    @property
    def interpreter_count(self) -> int:
        """Return the rank count of the largest case with separate hash seeds per rank; 0 if there is no such case."""
        return max((case.world for case in self.cases if case.has_own_hash_seeds), default=0)

    @property
    def base_runs(self) -> tuple[Run, ...]:
        """Return each case's own run, without the runs that check its relations."""
        return tuple(run for run in self.runs if run.relation is None)

    @cached_property
    def inputs(self) -> Inputs:
        """Return the encoded inputs of all runs; they do not depend on the program, so they are encoded once."""
        return encode([run.args for run in self.runs])

    @property
    def group_seconds(self) -> float:
        """Return the timeout for a collective, short enough that every run can hit it before the deadline."""
        share = 0.5 * self.task.limits.wall_seconds / len(self.runs)
        return min(GROUP_SECONDS_MAX, max(1.0, share))


def make_plan(task: Task, seed: int) -> Plan:
    """Return the plan for one seed; the same seed always produces the same numbers.

    Raises ContentBroken if the task's cases cannot be generated.
    """
    content = types.ModuleType(f"{task.id}_cases")
    try:
        exec(compile(task.cases_source, str(task.folder / "cases.py"), "exec"), content.__dict__)  # noqa: S102 -- ours
        drawn: Iterator[Case] = content.cases(torch.Generator().manual_seed(seed))
        cases = tuple(drawn)
        runs = tuple(run for case in cases for run in _runs(case, seed))
    except Exception as error:
        raise ContentBroken(
            f"{task.id}: cases.py failed with seed {seed}: {type(error).__name__}: {error}",
            fix_hint(task),
        ) from error
    return Plan(task, seed, cases, by_kind_of_group(runs), getattr(content, "expected", None))


def fix_hint(task: Task) -> str:
    """Return how to fix a task whose own content is wrong."""
    return f"Fix the task: python -m graders.gate.check {task.id}"


def join(plans: Sequence[Plan]) -> Plan:
    """Return one plan with the cases of several seeds of a task, one seed after the other."""
    cases = tuple(case for plan in plans for case in plan.cases)
    runs = tuple(run for plan in plans for run in plan.runs)
    return Plan(plans[0].task, plans[0].seed, cases, by_kind_of_group(runs), plans[0].expected)


def by_kind_of_group(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Sort the runs by the kind of group they need, because starting a group is slow."""
    return tuple(sorted(runs, key=lambda run: (run.case.has_own_hash_seeds, run.case.world)))


def _runs(case: Case, seed: int) -> Iterator[Run]:
    yield Run(case, seed, case.args)
    for relation in case.relations:
        yield Run(case, seed, relation.change(copy.deepcopy(case.args)), relation)


@dataclass(frozen=True)
class Setting:
    """How a program is run: the device, the precision, and whether it runs in this process or in forked ranks.

    `stops_at_failure` applies to forked ranks: after a failed run, no further runs are attempted. Without
    `has_own_hash_seeds`, all ranks share one hash seed in every case.
    """

    device: str = "cpu"
    is_float64: bool = False
    is_forked: bool = False
    stops_at_failure: bool = False
    has_own_hash_seeds: bool = True
    group_seconds: float = GROUP_SECONDS_MAX
    bytes_max: int = 64 * 2**20


def payload(plan: Plan, runs: Sequence[Run], source: str, setting: Setting) -> bytes:
    """Return the runner's input: the program and the inputs of the runs, but none of the expected results."""
    header = {
        "source": source,
        "entry": plan.task.entry,
        "parameters": parameters(plan.task),
        "harness": plan.task.harness,
        "returns": list(plan.task.returns),
        "device": setting.device,
        "default_dtype": "float64" if setting.is_float64 else "float32",
        "is_distributed": plan.is_distributed,
        "is_forked": plan.is_distributed or setting.is_forked,
        "stops_at_failure": setting.stops_at_failure,
        "group_seconds": setting.group_seconds,
        "bytes_max": setting.bytes_max,
        "runs": [
            {
                "grads": list(run.case.grads),
                "constants": list(run.case.constants),
                "world": run.case.world,
                "has_own_hash_seeds": run.case.has_own_hash_seeds and setting.has_own_hash_seeds,
                "cotangent": cotangent_of(run),
            }
            for run in runs
        ],
    }
    is_known = runs is plan.runs and not setting.is_float64
    return pack(header, plan.inputs if is_known else encode([run.args for run in runs], setting.is_float64))


def cotangent_of(run: Run) -> float:
    """Return the gradient passed to backward in a run, drawn from the seed and the case name.

    The runs that check a case's relations use the same gradient as the case's own run. The gradient is a power of two,
    so dividing the results of the backward pass by it gives exactly the gradients of a backward pass that starts from
    1. The gradient is never close to 1. Its magnitude is below 1, as if the loss had been divided by a number of
    accumulation steps, because a magnitude such as 2 could make a finite gradient overflow.
    """
    draw = random.Random(f"{run.seed} {run.case.name}")
    return draw.choice(COTANGENTS)


def record_run_indices(runs: Sequence[Run]) -> list[int]:
    """Return the run index of each record: one record per run and rank."""
    return [index for index, run in enumerate(runs) for _ in range(run.case.world)]


def parameters(task: Task) -> list[str]:
    """Return the names of the entry's parameters, in order."""
    (function,) = ast.parse(f"def {task.signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    several = [arguments.vararg] if arguments.vararg else []
    several_named = [arguments.kwarg] if arguments.kwarg else []
    in_order = [*arguments.posonlyargs, *arguments.args, *several, *arguments.kwonlyargs, *several_named]
    return [argument.arg for argument in in_order]

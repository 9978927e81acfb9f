"""Combines the measurements of a memory lab with the estimates of the reference and of a submission.

Submissions run only in a sandbox.
"""

from __future__ import annotations

import ast
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graders.errors import GradingError
from graders.grade import plain, run_in_sandbox
from graders.lab.result import TASKS, Figure, LabResult, Setup
from graders.plan import Plan, Run, Setting
from graders.reference import by_run, run_trusted
from graders.wire import Record
from sandbox.job import Ending, Finished, Sandbox
from tasks.task import Case, Task

MEASURE_SECONDS = 300.0
PROBLEM_CHARACTERS_MAX = 200


class LabBroken(GradingError):
    """The child process that takes the measurements failed; this says nothing about the submission."""


def run_lab(
    task: Task, device: str, source: str, sandbox: Sandbox, is_cancelled: Callable[[], bool] = lambda: False
) -> LabResult:
    """Return the measurements for a task with the reference's estimates and, if there is a `source`, the submission's.

    `device` is "cpu", "cuda", or "auto", which prefers a GPU. Only the measurements run on this device; the estimates
    do not need it.

    Raises GradingError if the task has no lab or there is no such device, and GradingError or SandboxError for an
    internal failure.
    """
    if task.id not in TASKS:
        raise GradingError(f"there is no memory lab for {task.id}", f"Tasks with a lab: {', '.join(TASKS)}.", "NoLab")
    data = measure(task.id, device)
    plan = _plan(task, data["setups"])
    right = by_setup(run_trusted(plan, plan.runs, task.reference, Setting(has_own_hash_seeds=False)))
    yours: Sequence[Mapping[str, Any]] = [{}] * len(right)
    problems, isolation = [""] * len(right), ""
    if source:
        run = run_in_sandbox(plan, source, Setting(), sandbox, is_cancelled)
        isolation = run.finished.isolation
        records = by_run(run.reader.records, len(plan.runs)) if run.reader.error is None else [[] for _ in plan.runs]
        missing = why_missing(run.finished, task.limits.wall_seconds)
        yours, problems = by_setup(records), [_problem(group, missing) for group in records]
    setups = zip(data["setups"], right, yours, problems, strict=True)
    return LabResult(
        task=task.id,
        device=data["device"],
        method=data["method"],
        unit="tokens" if task.id == "pool_tokens" else "bytes",
        torch=data["torch"],
        setups=tuple(_setup(setup, right, own, problem if source else None) for setup, right, own, problem in setups),
        has_submission=bool(source),
        isolation=isolation,
    )


def measure(task_id: str, device: str) -> dict[str, Any]:
    """Run `graders.lab.experiments` in a fresh process and return its data. Raises: LabBroken, GradingError."""
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "graders.lab.experiments", task_id, device],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=MEASURE_SECONDS,
            env=dict(os.environ),
            check=True,
        )
        data: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        why = f"the lab did not finish within {MEASURE_SECONDS:g} s"
        raise LabBroken(why, "Try again when the machine is idle.") from None
    except (subprocess.CalledProcessError, ValueError) as error:
        tail = plain((getattr(error, "stderr", b"") or b"").decode("utf-8", "replace"))[-600:]
        fix = "If the lab ran on a GPU, try --device cpu. If that also fails, this is a bug: please report it."
        raise LabBroken(f"the lab's process failed; end of its log: {tail or 'empty'}", fix) from None
    if "lacks" in data:
        raise GradingError(str(data["lacks"]), "Leave out --device to count allocations on the CPU.", "DeviceMissing")
    return data


def _plan(task: Task, setups: Sequence[Mapping[str, Any]]) -> Plan:
    """Return a plan with one case for each setup."""
    cases = tuple(Case(f"setup_{place}", ast.literal_eval(setup["args"])) for place, setup in enumerate(setups))
    return Plan(task, 0, cases, tuple(Run(case, 0, case.args) for case in cases), None)


def by_setup(records: Sequence[Sequence[Record]]) -> list[Mapping[str, Any]]:
    """Return the outputs of each run by path; empty for a run that failed."""
    return [group[0].leaves if group and group[0].status == "ok" else {} for group in records]


def why_missing(finished: Finished, wall_seconds: float) -> str:
    """Return why a run has no record at all."""
    if finished.ending is Ending.DEADLINE:
        return f"did not finish within {wall_seconds:g} s"
    return f"the process ended without a result ({finished.ending})"


def _problem(records: Sequence[Record], missing: str) -> str:
    """Return why a run has no outputs, as one short line; "" if it has outputs.

    `missing` is the reason to return if the run has no record.
    """
    if records and records[0].status == "ok":
        return ""
    failure = records[0].failure if records else {"message": missing}
    kind = f"{failure['type']}: " if "type" in failure else ""
    return " ".join(plain(f"{kind}{failure.get('message', '')}").split())[:PROBLEM_CHARACTERS_MAX]


def _setup(setup: Mapping[str, Any], right: Mapping[str, Any], yours: Mapping[str, Any], problem: str | None) -> Setup:
    """Return one measured configuration, with the reference's and the submission's estimate for each figure.

    `problem` is None if there is no submission.
    """
    figures = []
    for phase, measured, outputs, scale in setup["samples"]:
        if not outputs:
            figures.append(Figure(phase, measured))
            continue
        own = None if problem is None else _estimate(yours, outputs, scale)
        why = "" if problem is None or own is not None else problem or f"no number for {', '.join(outputs)}"
        figures.append(Figure(phase, measured, _estimate(right, outputs, scale), own, why))
    given = ", ".join(f"{name}={value!r}" for name, value in ast.literal_eval(setup["args"]).items())
    return Setup(setup["name"], given, tuple(figures), setup["note"])


def _estimate(leaves: Mapping[str, Any], outputs: Sequence[str], scale: float) -> float | None:
    """Return the sum of these outputs in the lab's unit; None if any output is not a finite number."""
    values = [leaves.get(output) for output in outputs]
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in values):
        return None
    return float(sum(value for value in values if value is not None)) * scale

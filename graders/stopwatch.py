"""Times a submission and the reference on the same large cases, based on when results arrive outside the sandbox."""

from __future__ import annotations

import time
import types
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import torch

from graders.compare import Expected, ExpectedOutput, in_float64, kind_of
from graders.errors import ContentBroken
from graders.grade import SandboxRun, run_in_sandbox
from graders.outcomes import judge
from graders.plan import Plan, Run, Setting, fix_hint
from graders.reference import by_run
from graders.timing import Timing
from graders.verdict import Verdict
from graders.wire import OmittedValue, Reader, Record
from sandbox.job import Sandbox
from tasks.task import Case, Task

# The first run is not counted, because each kind of operation is slow the first time a process runs it.
RUNS = 8
# If the reference's own times before and after the submission differ by more than this factor, no fair comparison is
# possible.
DRIFT_MAX = 1.3
BUSY = "this machine is too busy"
# The first, third, fifth, ... call returns immediately; the duration of these calls shows how long passing the inputs
# takes.
_ALTERNATING = """

import functools

_timed_{entry}, _calls = {entry}, []


@functools.wraps(_timed_{entry})
def {entry}(*args, **kwargs):
    _calls.append(0)
    return 0.0 if len(_calls) % 2 else _timed_{entry}(*args, **kwargs)
"""


def time_submission(
    task: Task, source: str, sandbox: Sandbox, device: str, is_cancelled: Callable[[], bool] = lambda: False
) -> Timing:
    """Return the median times of a submission and of the reference on the task's timed case.

    Each run has its own inputs, so a result cannot be reused. A submission with a wrong result is not compared with the
    reference.
    Assumes: the task has a timed case; if it has a harness, that returns at once when the submission returns a number.

    Raises GradingError or SandboxError for an internal failure.
    """
    task = task.for_device(device)
    cases = timed_cases(task)
    twice = _plan(task, [replace(case, name=f"{case.name}_{half}") for case in cases for half in "ab"])
    alternating = task.reference + _ALTERNATING.format(entry=task.entry)
    setting = Setting(device=device)
    first, gaps = _timed_run(twice, alternating, setting, sandbox, is_cancelled)
    expected = _expected(task, cases, by_run(first.reader.records, len(twice.runs))[1::2])
    before = Reference(median(gaps[1::2]), median(gaps[2::2]))
    timing = Timing(device, RUNS - 1)
    plan = _plan(task, cases)
    own, gaps = _timed_run(plan, source, replace(setting, bytes_max=_bytes_max(expected)), sandbox, is_cancelled)
    if problem := _problem(plan, expected, own):
        return replace(timing, problem=problem)
    seconds = median(gaps)
    _, gaps = _timed_run(twice, alternating, setting, sandbox, is_cancelled)
    if len(gaps) < len(twice.runs) - 1:
        return replace(timing, problem=BUSY)
    return _compared(timing, seconds, before, Reference(median(gaps[1::2]), median(gaps[2::2])))


class Reference(NamedTuple):
    """The reference's median times in one process, in seconds: for passing the inputs, and for a whole run."""

    overhead: float
    whole: float


def _compared(timing: Timing, seconds: float, before: Reference, after: Reference) -> Timing:
    """Return the submission's time and the reference's time, which was measured before and after the submission."""
    overhead = (before.overhead + after.overhead) / 2
    computing = [measured.whole - overhead for measured in (before, after)]
    if min(seconds - overhead, *computing) <= 0:
        return replace(timing, problem="passing the inputs takes longer than the computation")
    if max(computing) > DRIFT_MAX * min(computing):
        return replace(timing, problem=BUSY)
    return replace(timing, seconds=seconds - overhead, reference_seconds=sum(computing) / 2)


def timed_cases(task: Task) -> list[Case]:
    """Return the timed case with different inputs for each run. Raises: ContentBroken."""
    content = types.ModuleType(f"{task.id}_cases")
    try:
        exec(compile(task.cases_source, str(task.folder / "cases.py"), "exec"), content.__dict__)  # noqa: S102 -- ours
        drawn = [content.timed(torch.Generator().manual_seed(seed)) for seed in range(RUNS)]
    except Exception as error:
        why = f"{task.id}: the timed case of cases.py failed: {type(error).__name__}: {error}"
        raise ContentBroken(why, fix_hint(task)) from error
    return [replace(case, name=f"{case.name}_{place}") for place, case in enumerate(drawn)]


def _plan(task: Task, cases: Sequence[Case]) -> Plan:
    return Plan(task, 0, tuple(cases), tuple(Run(case, 0, case.args) for case in cases), None)


def _timed_run(
    plan: Plan, source: str, setting: Setting, sandbox: Sandbox, is_cancelled: Callable[[], bool]
) -> tuple[SandboxRun, list[float]]:
    """Run a program; return its records, and the time between consecutive record arrivals in seconds."""
    stamps: list[float] = []

    def stamp(reader: Reader) -> None:
        stamps.extend([time.monotonic()] * (len(reader.records) - len(stamps)))

    run = run_in_sandbox(plan, source, setting, sandbox, is_cancelled, stamp)
    return run, [later - earlier for earlier, later in pairwise(stamps)]


def _expected(task: Task, cases: Sequence[Case], records: Sequence[Sequence[Record]]) -> list[list[Expected]]:
    """Return the reference's results as the cases' expected results. Raises ContentBroken if any result is missing."""
    expected = []
    for case, group in zip(cases, records, strict=True):
        leaves = [*group[0].leaves.values(), *group[0].gradients.values()] if group else []
        if not group or group[0].status != "ok" or any(isinstance(leaf, OmittedValue) for leaf in leaves):
            raise ContentBroken(f"{task.id}: the reference failed in the timed case", fix_hint(task))
        outputs, gradients = (
            {name: ExpectedOutput(in_float64(leaf), kind_of(leaf)) for name, leaf in found.items() if leaf is not None}
            for found in (group[0].leaves, group[0].gradients)
        )
        expected.append([Expected(outputs, gradients, case.constants)])
    return expected


def _bytes_max(expected: Sequence[Sequence[Expected]]) -> int:
    """Return the size limit for a returned tensor, in bytes: the size of the reference's largest result."""
    outputs = (
        out for ranks in expected for right in ranks for out in (*right.outputs.values(), *right.gradients.values())
    )
    return max(out.values.numel() for out in outputs) * 8 + 1024


def _problem(plan: Plan, expected: list[list[Expected]], run: SandboxRun) -> str:
    """Return why a submission's times are meaningless; "" if all its results are correct."""
    if run.reader.error or not run.reader.is_complete:
        return "the submission did not finish the timed runs"
    records = by_run(run.reader.records, len(plan.runs))
    wrong = [judged.outcome for judged in judge(plan, expected, records, None)]
    is_right = all(outcome.verdict is Verdict.PASSED for outcome in wrong)
    return "" if is_right else "the submission's result in the timed case is wrong"

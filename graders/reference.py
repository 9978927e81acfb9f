"""Runs the project's own programs (references, mistakes, mutants) outside the sandbox, and computes expected results.

Submission code never runs in this module. Expected values are in float64. The expected dtype and shape are those of the
reference's results in float32. A case's literal `expected` takes precedence over the task's `expected` function, which
takes precedence over the reference.
"""

from __future__ import annotations

import atexit
import io
import os
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any

import torch

from graders.compare import Expected, ExpectedOutput, in_float64, kind_of
from graders.errors import ContentBroken, RunnerBroken
from graders.plan import Plan, Run, Setting, fix_hint, payload, record_run_indices
from graders.runner import InterpreterEnded
from graders.runner.entrypoint import launch
from graders.runner.execution import answer_all, flatten, frame, read_payload
from graders.runner.group import Kept
from graders.wire import Reader, Record
from tasks.task import PerRank

# A reference never hangs, so if a group takes longer than this, the machine is busy.
GROUP_SECONDS = 20.0
_kept: dict[int, Kept] = {}


def hide_gpus() -> None:
    """Permanently hide GPUs from torch in this process, so that ranks forked from it can run a backward pass.

    The environment variable is restored, because a sandbox without containers passes it on to programs.
    """
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    torch.cuda.is_available()  # makes the CUDA driver read the variable now; the driver reads it only once
    if before is None:
        del os.environ["CUDA_VISIBLE_DEVICES"]
    else:
        os.environ["CUDA_VISIBLE_DEVICES"] = before


def run_trusted(plan: Plan, runs: Sequence[Run], source: str, setting: Setting) -> list[list[Record]]:
    """Return the records of each run, one per rank; if the program cannot be loaded, all runs have the same record."""
    sent = payload(plan, runs, source, setting)
    work = read_payload(sent)
    frames = [frame({"run": 0, "status": "ready", "lacks": "", "torch": "", "python": ""})]
    try:
        if work["is_forked"]:
            with open(os.devnull, "w", encoding="utf-8") as nowhere:
                launch({**work, "payload": sent}, frames.append, nowhere.fileno(), _groups(plan))
        else:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                answer_all(work, frames.append)
    except InterpreterEnded as error:
        _kept.clear()  # closes the pipes, so the processes of the gloo groups exit
        raise RunnerBroken("an interpreter for the ranks of a gloo group exited", "Try again.") from error
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_deterministic_debug_mode("default")
    reader = Reader(record_run_indices(runs), setting.bytes_max, work["is_forked"])
    reader.feed(b"".join(frames))
    if any(record.status == "lost" for record in reader.records):
        raise RunnerBroken(
            "the ranks of a gloo group could not connect on this machine", "Try again when the machine is less busy."
        )
    if reader.error:
        raise ContentBroken(f"{plan.task.id}: {reader.error}", fix_hint(plan.task))
    return by_run(reader.records, len(runs))


def _groups(plan: Plan) -> Kept:
    """Return the rank groups that the project's own programs share, because starting a group takes longer than a run.

    A forked process does not own its parent's groups, so the groups are stored per process id. A program that runs in a
    single process has no groups.
    """
    if not plan.is_distributed:
        return Kept(keeps_groups=False)
    if os.getpid() not in _kept:
        _kept.clear()
        atexit.register(_end_groups, os.getpid())
    return _kept.setdefault(os.getpid(), Kept())


def _end_groups(pid: int) -> None:
    if pid == os.getpid() and pid in _kept:
        _kept.pop(pid).end()


def by_run(records: Sequence[Record], count: int) -> list[list[Record]]:
    """Group the records by run; if the program could not be loaded, every run gets the same record."""
    if records and records[-1].status == "not_loaded":
        return [[records[-1]]] * count
    return [[record for record in records if record.run == run] for run in range(count)]


def expectations(plan: Plan) -> list[list[Expected]]:
    """Return the expected results for each case in the plan, on each of its ranks.

    Raises ContentBroken if the reference fails or its output paths or shapes differ from the declared results.
    """
    # Use a shared hash seed: the expected results do not depend on it, and separate interpreters are slow to start.
    setting = Setting(has_own_hash_seeds=False, group_seconds=GROUP_SECONDS)
    coarse, exact = (
        run_trusted(plan, plan.base_runs, plan.task.reference, replace(setting, is_float64=is_float64))
        for is_float64 in (False, True)
    )
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
        raise _broken(plan, run, f"the reference returns {sorted(coarse.leaves)}, expected {sorted(values)}")
    outputs = {}
    for path, leaf in coarse.leaves.items():
        right = in_float64(values[path])
        if right.shape != torch.as_tensor(leaf).shape:
            shapes = f"{list(torch.as_tensor(leaf).shape)} from the reference, {list(right.shape)} expected"
            raise _broken(plan, run, f"{path}: shapes differ: {shapes}")
        outputs[path] = ExpectedOutput(right, kind_of(leaf))
    slopes = {name: exact.gradients.get(name) for name in case.grads}
    lost = [name for name, slope in slopes.items() if slope is None]
    if lost:
        raise _broken(plan, run, f"the reference gives no gradient for {lost}, which `grads` names")
    gradients = {
        name: ExpectedOutput(slope.to(torch.float64), kind_of(coarse.gradients[name]))
        for name, slope in slopes.items()
        if slope is not None
    }
    return Expected(outputs, gradients, case.constants, plan.task.detached)


def _as_tensors(value: Any) -> Any:
    """Convert a literal's lists of numbers to tensors; tuples and dicts keep their structure."""
    if isinstance(value, dict):
        return {key: _as_tensors(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_as_tensors(item) for item in value)
    return torch.tensor(value, dtype=torch.float64) if isinstance(value, list) else value


def _broken(plan: Plan, run: Run, why: str) -> ContentBroken:
    return ContentBroken(f"{plan.task.id}: case {run.case.name} (seed {run.seed}): {why}", fix_hint(plan.task))

"""Runs programs of our own (references, mistakes, mutants) with the sandbox's runner; nothing foreign comes here."""

from __future__ import annotations

import atexit
import io
import os
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout

import torch

from graders.errors import ContentBroken, RunnerBroken
from graders.runner.calls import answer_all, frame, read_payload
from graders.runner.group import Kept
from graders.runner.ranks import launch
from graders.runs import Plan, Run, Setting, order, payload
from graders.wire import Reader, Record

_kept: dict[int, Kept] = {}


def hide_gpus() -> None:
    """Make torch in this process blind to GPUs for good, so that ranks forked from it can still run a backward pass.

    The variable is put back, because a sandbox without containers hands it on.
    """
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    torch.cuda.is_available()  # the driver reads the variable now, and never again
    if before is None:
        del os.environ["CUDA_VISIBLE_DEVICES"]
    else:
        os.environ["CUDA_VISIBLE_DEVICES"] = before


def run_trusted(plan: Plan, runs: Sequence[Run], source: str, setting: Setting) -> list[list[Record]]:
    """Return the records of each run, one for each rank; a program that does not load has the same one everywhere."""
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
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_deterministic_debug_mode("default")
    reader = Reader(order(runs), setting.bytes_max, work["is_forked"])
    reader.feed(b"".join(frames))
    if any(record.status == "lost" for record in reader.records):
        raise RunnerBroken("the ranks of a gloo group did not meet on this machine", "Try again when it is less busy.")
    if reader.error:
        raise ContentBroken(
            f"{plan.task.id}: {reader.error}", f"Mend the task: python -m graders.gate.check {plan.task.id}"
        )
    return by_run(reader.records, len(runs))


def _groups(plan: Plan) -> Kept | None:
    """Return the groups that programs of our own share, since starting one takes longer than a run.

    Only this process's own: one that was forked from it owns none of them.
    """
    if not plan.is_distributed:
        return None
    if os.getpid() not in _kept:
        _kept.clear()
        atexit.register(_end_groups, os.getpid())
    return _kept.setdefault(os.getpid(), {})


def _end_groups(pid: int) -> None:
    for group in _kept.pop(pid, {}).values() if pid == os.getpid() else ():
        group.end()


def by_run(records: Sequence[Record], count: int) -> list[list[Record]]:
    """Return the records sorted by run; runs without any get none, and a refused program the refusal everywhere."""
    if records and records[-1].status == "not_loaded":
        return [[records[-1]]] * count
    return [[record for record in records if record.run == run] for run in range(count)]

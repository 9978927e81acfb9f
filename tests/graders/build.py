"""Tiny tasks that are written for a test, and a sandbox that forks this process, which has already imported torch."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sandbox.job import Ending, Finished, Job, never
from tasks.load import load_task
from tasks.task import Task

REFERENCE = '''import torch


def scaled_mean(x, weight, mask):
    """Return the weighted mean over the mask, and the count."""
    kept = torch.where(mask, x * weight.detach(), 0.0)
    count = mask.sum()
    return kept.sum() / count, count
'''
MISTAKES = {
    "mean_of_all": REFERENCE.replace("/ count,", "/ mask.numel(),"),
    "not_detached": REFERENCE.replace(".detach()", ""),
}
CASES = """import math
import torch
from tasks.task import Case, Relation

PADDING = Relation(
    "padding", "What the mask leaves out changes nothing.",
    lambda args: {**args, "x": torch.where(args["mask"], args["x"], math.nan)},
)


def literal():
    args = {"x": torch.tensor([1.0, 2.0]), "weight": torch.tensor([3.0, 3.0]), "mask": torch.tensor([True, True])}
    return Case("literal", args, grads=("x",), visible=True, expected=(4.5, 2))


def cases(rng):
    yield literal()
    args = {
        "x": torch.randn(5, 4, generator=rng).T,
        "weight": 1 + torch.rand(4, 5, generator=rng),
        "mask": torch.arange(20).reshape(4, 5) % 3 > 0,
    }
    yield Case("ragged", args, grads=("x",), constants=("weight",), relations=(PADDING,), weight=3.0)
"""
TOML = """format = 1
title = "Scaled mean"
kind = "implement"
entry = "scaled_mean"
level = 1
minutes = 5
devices = ["cpu"]
topics = ["mean"]
seeds = ["001 #1"]
source = ["arithmetic"]
returns = ["mean", "count"]
starter_verdict = "raised"
[limits]
wall_seconds = 10
memory_mib = 2048
[tolerance.float32]
rtol = 1e-5
atol = 1e-5
[[mistake]]
id = "mean_of_all"
wrong = "Divides by everything."
caught_by = ["ragged"]
ask = "What counts?"
[[mistake]]
id = "not_detached"
wrong = "Lets the weights learn."
caught_by = ["ragged"]
ask = "Who learns here?"
[[hint]]
text = "Count."
"""
RING_REFERENCE = '''import torch
import torch.distributed as dist


def total(x):
    """Return the sum over ranks."""
    x = x.clone()
    dist.all_reduce(x)
    return x
'''
RING_CASES = """import torch
from tasks.task import Case, PerRank


def cases(rng):
    ones = PerRank((torch.tensor([1.0]), torch.tensor([2.0])))
    yield Case("literal", {"x": ones}, world=2, expected=torch.tensor([3.0]))
    yield Case("drawn", {"x": PerRank(tuple(torch.randn(3, generator=rng) for _ in range(2)))}, world=2)


def expected(case):
    return sum(case.args["x"].values)
"""

FILES_MAX = os.sysconf("SC_OPEN_MAX")


def files_of_mean() -> dict[str, str]:
    """Return the files of a task with one process, two cases and two mistakes."""
    starter = "def scaled_mean(x, weight, mask):\n    raise NotImplementedError\n"
    mistakes = {f"mistakes/{name}.py": text for name, text in MISTAKES.items()}
    files = {"task.toml": TOML, "statement.md": "Mean.", "starter.py": starter, "reference.py": REFERENCE}
    return {**files, "cases.py": CASES, **mistakes}


def files_of_ring() -> dict[str, str]:
    """Return the files of a task with two ranks."""
    toml = TOML.replace('"scaled_mean"', '"total"').replace('["mean", "count"]', '["total"]')
    head = toml[: toml.index("[[mistake]]")]
    mistake = (
        '[[mistake]]\nid = "kept_local"\nwrong = "Sums nothing."\ncaught_by = ["literal", "drawn"]\nask = "Who?"\n'
    )
    local = RING_REFERENCE.replace("    dist.all_reduce(x)\n", "")
    starter = "def total(x):\n    raise NotImplementedError\n"
    files = {"task.toml": head + mistake + '[[hint]]\ntext = "Ask."\n', "statement.md": "Sum.", "starter.py": starter}
    return {**files, "reference.py": RING_REFERENCE, "cases.py": RING_CASES, "mistakes/kept_local.py": local}


def write_task(root: Path, files: dict[str, str]) -> Path:
    """Write a task folder called area/tiny and return it."""
    folder = root / "area" / "tiny"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def make_task(root: Path, files: dict[str, str]) -> Task:
    """Return the task that these files define."""
    return load_task(write_task(root, files))


class ForkSandbox:
    """Runs jobs in a fork of the test process: fast, but without any protection."""

    name = "fork"
    isolation = "none: a fork of the tests"

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Return what the forked runner wrote until it ended, finished or ran out of time."""
        finished = self._run_once(job)
        # A runner reports that it is ready before it reads the submission. One that never does was forked while another
        # thread of the tests held a lock that it needs, and that thread is not there to let go of it.
        return self._run_once(job) if finished.ending is Ending.DEADLINE and not finished.result else finished

    def _run_once(self, job: Job) -> Finished:
        started = time.monotonic()
        pipes = [os.pipe() for _ in range(3)]
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            for fd, pipe in enumerate((pipes[0][0], pipes[1][1], pipes[2][1])):
                os.dup2(pipe, fd)
            # All of them: while the child holds the writing end of its own input, it never reads the end of it.
            os.closerange(3, FILES_MAX)
            sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
            try:
                exec(job.whole_program, {"__name__": "__main__"})
            finally:
                os._exit(1)
        for fd in (pipes[0][0], pipes[1][1], pipes[2][1]):
            os.close(fd)
        os.write(pipes[0][1], job.payload)
        os.close(pipes[0][1])
        output = {pipes[1][0]: b"", pipes[2][0]: b""}
        ending, code = Ending.EXITED, None
        left = set(output)
        while left:
            if time.monotonic() - started > job.wall_seconds:
                ending = Ending.DEADLINE
                break
            for fd in select.select(list(left), [], [], 0.2)[0]:
                chunk = os.read(fd, 1 << 20)
                output[fd] += chunk
                left -= set() if chunk else {fd}
            if job.is_complete and job.is_complete(output[pipes[1][0]]):
                ending = Ending.RESULT_COMPLETE
                # What the program printed was written before its result, but both pipes may become readable at once.
                while select.select([pipes[2][0]], [], [], 0)[0] and (chunk := os.read(pipes[2][0], 1 << 20)):
                    output[pipes[2][0]] += chunk
                break
        if ending is Ending.EXITED:
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        else:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        for fd in output:
            os.close(fd)
        result, log = output[pipes[1][0]], output[pipes[2][0]]
        return Finished(result, log, False, ending, code, time.monotonic() - started, self.isolation)

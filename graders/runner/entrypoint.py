"""Executes a submission's runs in order, in this process or in forked ranks; runs inside the sandbox.

The first frame is "ready", written before any code of the submission runs. It is followed by one record per run and
rank, in order.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import socket
import sys
import warnings
from functools import partial

import torch

from graders.runner import Interpreter
from graders.runner.execution import Json, answer_all, frame, read_payload
from graders.runner.group import Emit, Kept, answer_batch, answer_orders, kind_of_group, write_all
from graders.runner.recorder import intercept

PR_SET_DUMPABLE = 4


def launch(work: Json, emit: Emit, log: int, kept: Kept) -> None:
    """Execute every run in forked ranks. Consecutive runs that need the same kind of group share one group of ranks.

    `work` contains the "payload", which is sent only to ranks that did not inherit it from this process.
    """
    if work["is_distributed"]:
        # Do this once here rather than in every rank of every group: creating the first optimizer triggers imports that
        # take a second.
        torch.optim.SGD([torch.zeros(1)])
        intercept()
    kinds = [kind_of_group(run) for run in work["runs"]]
    wanted = max((world for world, has_own_seeds in kinds if has_own_seeds), default=0)
    # Inside a sandbox, all interpreters have already been started. An interpreter started while a submission runs would
    # briefly be exposed to that submission.
    kept.interpreters += [Interpreter(place + 1) for place in range(len(kept.interpreters), wanted)]
    start = 0
    while start < len(kinds):
        end = start
        while end < len(kinds) and kinds[end] == kinds[start]:
            end += 1
        start += answer_batch(work, list(range(start, end)), emit, log, kept)
        if start < end and work["stops_at_failure"]:
            return


def serve_forks(control: int) -> None:
    """Prepare an interpreter for forking ranks, report that it is ready, and serve requests; never returns."""
    hide_from_ranks()
    warm_up("cpu", is_distributed=True)
    answer_orders(socket.socket(fileno=control))
    os._exit(0)


def warm_up(device: str, is_distributed: bool) -> None:
    """Do the slow one-time work before the first submission: lazy initialization, and about a second of imports."""
    if is_distributed:
        # Do not run a backward pass: if torch sees a GPU, it starts threads, which forked ranks would not inherit.
        torch.optim.SGD([torch.zeros(1)])
        intercept()
        return
    # Run operations that are typical of a loss, because the first use of each kind of operation in a process is slow.
    weight = torch.ones(2, 3, device=device, requires_grad=True)
    kept = torch.where(weight > 0, weight.exp().clamp(0.8, 1.2) * weight, 0.0)
    torch.autograd.grad(torch.maximum(kept, -kept).sum() / 2, [weight], allow_unused=True)
    frame({}, {"0": weight.detach().cpu()})


def prepare_gpu() -> None:
    """Make cuBLAS deterministic, and hide torch's warnings about nondeterministic kernels from the candidate's log."""
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
    warnings.filterwarnings("ignore", message=".*does not have a deterministic implementation")


def hide_from_ranks() -> None:
    """Protect this process's memory and descriptors from other processes of the same user.

    Without this protection, a rank could forge records.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def prepare(device: str, is_distributed: bool, interpreters: list[Interpreter]) -> str:
    """Do the slow setup that needs no payload, and return what the sandbox lacks ("" if nothing is missing).

    A fork server does this slow work once and then forks a child per payload, so no thread may be left running.
    """
    if device == "cuda":
        prepare_gpu()
    lacks = "" if device == "cpu" or torch.cuda.is_available() else "torch sees no CUDA device"
    if not lacks:
        warm_up(device, is_distributed)
    if is_distributed:
        hide_from_ranks()
    # An interpreter protects itself before it reports that it is ready, so all of them are protected before any
    # submitted code runs.
    for interpreter in interpreters:
        interpreter.wait_until_ready()
    return lacks


def main(lacks: str, interpreters: list[Interpreter]) -> None:
    """Report that the runner is ready, and answer the payload on stdin; the submission prints to stderr.

    In a cell, which is started before there is a job for it, the payload may arrive long after this report.
    """
    result = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 100)
    os.dup2(2, 1)
    versions = {"torch": torch.__version__, "python": platform.python_version()}
    emit = partial(write_all, result)
    emit(frame({"run": 0, "status": "ready", "lacks": lacks, **versions}))
    payload = sys.stdin.buffer.read()
    work = read_payload(payload)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if not lacks and work["is_forked"]:
        launch({**work, "payload": payload}, emit, 2, Kept(interpreters, keeps_groups=False))
    elif not lacks:
        answer_all(work, emit)
    os._exit(0)

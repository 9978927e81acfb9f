"""Runs a submission's runs in order, in this process or in forked ranks; goes into the sandbox beside inside.py.

The first frame is "ready", written before any foreign code runs; then one record for each run and rank, in order. A
rank is known by its pipe: whatever it writes, it cannot speak for another.
"""

from __future__ import annotations

import datetime
import fcntl
import json
import os
import platform
import select
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import torch
import torch.distributed as dist

from graders.inside import Json, NotLoaded, answer, answer_all, frame, load_submission, read_payload, settle

MEETING_SECONDS = 8.0
Emit = Callable[[bytes], None]


class Rank:
    """Hold one forked process: it waits for a go before each run and answers on a pipe that only it has."""

    def __init__(self, serve: Callable[[int, int], None], others: list[Rank], log: int) -> None:
        go_read, self.go = os.pipe()
        self.answers, answers_write = os.pipe()
        self.buffer = b""
        self.pid = os.fork()
        if self.pid == 0:
            try:
                for fd in (self.go, self.answers, *(fd for other in others for fd in (other.go, other.answers))):
                    os.close(fd)
                os.dup2(log, 1)
                os.dup2(log, 2)
                serve(go_read, answers_write)
            finally:
                os._exit(0)
        os.close(go_read)
        os.close(answers_write)

    def read(self, run: int) -> bytes:
        """Return a whole answer, or nothing yet; a process that ended answers with how it ended."""
        chunk = os.read(self.answers, 1 << 20)
        if not chunk:
            code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            self.pid = 0
            return frame({"run": run, "status": "dead", "exit_code": code})
        self.buffer += chunk
        if len(self.buffer) < 8 or len(self.buffer) < 8 + sum(struct.unpack_from("<II", self.buffer)):
            return b""
        whole, self.buffer = self.buffer, b""
        return whole

    def end(self) -> None:
        """Kill the process and wait until it is gone."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.go)
        os.close(self.answers)


def serve_rank(work: Json, batch: list[int], rank: int, folder: str, go: int, answers: int) -> None:
    """Meet the other ranks, then answer one run for each go, until a run fails."""
    settle(work)
    try:
        if work["is_distributed"]:
            meet(work, rank, work["runs"][batch[0]]["world"], folder)
        write_all(answers, frame({"run": batch[0], "status": "met"}))
    except Exception as error:
        sys.stderr.write(f"rank {rank} did not meet the others: {error}\n")
        return
    call = None
    for run in batch:
        if not os.read(go, 1):
            return
        try:
            call = call or load_submission(work)
        except NotLoaded as error:
            write_all(answers, frame({"run": 0, "status": "not_loaded", "message": str(error)[:3000]}))
            return
        whole, is_well = answer(work, call, run, rank)
        write_all(answers, whole)
        if not is_well:
            return


def meet(work: Json, rank: int, world: int, folder: str) -> None:
    """Join the gloo group of this world over loopback; its collectives name what does not match."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo0" if sys.platform == "darwin" else "lo"
    os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
    dist.set_debug_level_from_env()  # type: ignore[attr-defined]
    store = dist.FileStore(os.path.join(folder, "store"), world)  # type: ignore[attr-defined]
    store.set_timeout(datetime.timedelta(seconds=MEETING_SECONDS))
    patience = datetime.timedelta(seconds=work["group_seconds"])
    dist.init_process_group("gloo", store=store, rank=rank, world_size=world, timeout=patience)


def collect(ranks: list[Rank], run: int, seconds: float) -> list[bytes]:
    """Return each rank's answer to one run; a rank that gives none in time is stuck."""
    deadline = time.monotonic() + seconds
    answers: dict[Rank, bytes] = {}
    while len(answers) < len(ranks) and (left := deadline - time.monotonic()) > 0:
        waiting = {rank.answers: rank for rank in ranks if rank not in answers}
        for fd in select.select(list(waiting), [], [], left)[0]:
            if whole := waiting[fd].read(run):
                answers[waiting[fd]] = whole
    return [answers.get(rank) or frame({"run": run, "status": "stuck"}) for rank in ranks]


def status_of(whole: bytes) -> str:
    """Return the status that an answer claims; a damaged one counts as damaged, and its reader outside will say so."""
    try:
        return str(json.loads(whole[8 : 8 + struct.unpack_from("<I", whole)[0]])["status"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return "damaged"


def answer_batch(work: Json, batch: list[int], emit: Emit, log: int) -> int:
    """Answer runs of one world in one group of ranks; return how many, the first that fails being the last.

    A failed run ends its group, because collectives that were left half done would meet those of the next run.
    """
    ranks: list[Rank] = []
    # Later than gloo's own limit, because its message says more.
    patience = work["group_seconds"] * 1.25 + 0.5
    with tempfile.TemporaryDirectory() as folder:
        try:
            for number in range(work["runs"][batch[0]]["world"]):
                ranks.append(Rank(partial(serve_rank, work, batch, number, folder), ranks, log))
            meetings = collect(ranks, batch[0], MEETING_SECONDS * 1.25)
            if {status_of(whole) for whole in meetings} != {"met"}:
                emit(frame({"run": batch[0], "status": "lost", "message": "the ranks of the gloo group did not meet"}))
                return len(work["runs"])
            for done, run in enumerate(batch, 1):
                for rank in ranks:
                    with suppress(BrokenPipeError):
                        os.write(rank.go, b"\n")
                answers = collect(ranks, run, patience)
                statuses = [status_of(whole) for whole in answers]
                if "not_loaded" in statuses:
                    emit(answers[statuses.index("not_loaded")])
                    return len(work["runs"])
                for whole in answers:
                    emit(whole)
                if set(statuses) != {"ok"}:
                    return done
            return len(batch)
        finally:
            for rank in ranks:
                rank.end()


def launch(work: Json, emit: Emit, log: int) -> None:
    """Answer every run in forked ranks, one group for each stretch of runs of the same world."""
    if work["is_distributed"]:
        # The first optimizer imports a second's worth of modules: once here, not in every rank of every group.
        torch.optim.SGD([torch.zeros(1)])
    worlds = [run["world"] for run in work["runs"]]
    start = 0
    while start < len(worlds):
        end = start
        while end < len(worlds) and worlds[end] == worlds[start]:
            end += 1
        start += answer_batch(work, list(range(start, end)), emit, log)
        if start < end and work["stops_at_failure"]:
            return


def write_all(fd: int, data: bytes) -> None:
    """Write every byte."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def main() -> None:
    """Answer the payload on standard input; what the submission prints goes to standard error."""
    result = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 100)
    os.dup2(2, 1)
    work = read_payload(sys.stdin.buffer.read())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    lacks = "" if work["device"] == "cpu" or torch.cuda.is_available() else "torch sees no CUDA device"
    versions = {"torch": torch.__version__, "python": platform.python_version()}
    emit = partial(write_all, result)
    emit(frame({"run": 0, "status": "ready", "lacks": lacks, **versions}))
    if not lacks and work["is_forked"]:
        launch(work, emit, 2)
    elif not lacks:
        answer_all(work, emit)
    os._exit(0)

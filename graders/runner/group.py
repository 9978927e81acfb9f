"""Runs one group of forked ranks inside the sandbox, and identifies the collective in which it failed.

A rank is identified by its pipe, so its output can never be attributed to a different rank. Ranks are forked from this
process or, if they need their own hash seeds, each from a separate interpreter.
"""

from __future__ import annotations

import datetime
import json
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from io import RawIOBase

import torch.distributed as dist

from graders.runner import ORDER_BYTES_MAX, REPLY, Interpreter
from graders.runner.collectives import REGION_BYTES, CallLog
from graders.runner.execution import (
    Json,
    NotLoaded,
    answer,
    frame,
    load_submission,
    read_payload,
    reset_torch_state,
    run_mark,
)
from graders.runner.recorder import Recorder

MEETING_SECONDS = 8.0
CHECK_SECONDS = 0.02
GRACE_SECONDS = 0.5
UNMATCHED_SECONDS = 1.0
GO = struct.Struct("<IQ")
HEADER_BYTES_MAX = 64 * 2**10
# Statuses a rank may report about itself; only the launcher reports that a rank died or is stuck.
SPOKEN = ("met", "ok", "raised", "not_loaded", "mismatched")
Emit = Callable[[bytes], None]
# Settings that a rank needs before it receives the rest of the work for its first run.
SETTINGS = ("device", "default_dtype", "is_distributed", "group_seconds")


def answer_orders(control: socket.socket) -> None:
    """Fork a rank for each request and report exit codes, until the launcher exits; runs in an `Interpreter`."""
    ranks: set[int] = set()
    control.sendall(REPLY.pack(0))
    while True:
        message, fds, _, _ = socket.recv_fds(control, ORDER_BYTES_MAX, 4)
        if not message:
            break
        order = json.loads(message)
        if "wait" in order:
            ranks.discard(order["wait"])
            reply = exit_code(order["wait"])
        else:
            reply = fork_rank(fds[0], partial(serve_order, order["fork"], *fds[1:]))
            ranks.add(reply)
        for fd in fds:
            os.close(fd)
        control.sendall(REPLY.pack(reply))
    for pid in ranks:
        os.kill(pid, signal.SIGKILL)


def serve_order(order: Json, memory: int, go: int, answers: int) -> None:
    """Serve as the rank that the request describes."""
    shared = Rendezvous(order["world"], order["folder"], memory)
    serve_rank(order["settings"], order["rank"], shared, go, answers)


def fork_rank(log: int, serve: Callable[[], None]) -> int:
    """Fork a process that serves as a rank and prints to the log, and return its id."""
    pid = os.fork()
    if pid == 0:
        try:
            os.dup2(log, 1)
            os.dup2(log, 2)
            serve()
        finally:
            os._exit(0)
    return pid


def exit_code(pid: int) -> int:
    """Wait until a child has exited and return its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Rank:
    """One forked process: it waits for a go signal before each run and answers on its own pipe.

    `fork` is called with the process's ends of the two pipes and returns the process id; `exit_code` waits until the
    process exits.
    """

    def __init__(self, fork: Callable[[int, int], int], exit_code: Callable[[int], int]) -> None:
        go_read, self.go = os.pipe()
        self.answers, answers_write = os.pipe()
        self.buffer = b""
        self._exit_code = exit_code
        self.pid = fork(go_read, answers_write)
        os.close(go_read)
        os.close(answers_write)

    def read(self, run: int) -> bytes:
        """Return the answer, b"" if it is still incomplete, or a record with the exit code if the process exited."""
        chunk = os.read(self.answers, 1 << 20)
        if not chunk:
            code = self._exit_code(self.pid)
            self.pid = 0
            return frame({"run": run, "status": "dead", "exit_code": code})
        self.buffer += chunk
        sizes = struct.unpack_from("<II", self.buffer) if len(self.buffer) >= 8 else (0, 0)
        size = 8 + sum(sizes)
        if len(self.buffer) < size and sizes[0] <= HEADER_BYTES_MAX:
            return b""
        whole, self.buffer = self.buffer, b""
        # If a second frame arrives along with the first, the rank is replying on behalf of a peer.
        is_own = len(whole) == size and status_of(whole) in SPOKEN
        return whole if is_own else frame({"run": run, "status": "forged"})

    def end(self) -> None:
        """Kill the process and wait until it has exited."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            self._exit_code(self.pid)
        os.close(self.go)
        os.close(self.answers)


def close_all_but(*kept: int) -> None:
    """Close all other inherited descriptors, such as the launcher's result, other ranks' pipes and cells' inputs."""
    first = 3
    for fd in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, fd)
        first = fd + 1


class Rendezvous:
    """State shared by the ranks of one group: the number of ranks, their rendezvous folder, and their call log."""

    def __init__(self, world: int, folder: str, memory: int = -1) -> None:
        self.world, self.folder = world, folder
        self.log = CallLog(world, memory)

    def meet(self, rank: int, patience_seconds: float) -> None:
        """Join this group's gloo process group over loopback; afterwards, its calls time out after `patience_seconds`.

        On a busy machine, connecting takes longer than a call among ranks that are already connected.
        """
        os.environ["GLOO_SOCKET_IFNAME"] = "lo0" if sys.platform == "darwin" else "lo"
        store = dist.FileStore(os.path.join(self.folder, "store"), self.world)  # type: ignore[attr-defined]
        meeting = datetime.timedelta(seconds=MEETING_SECONDS)
        store.set_timeout(meeting)
        dist.init_process_group("gloo", store=store, rank=rank, world_size=self.world, timeout=meeting)
        dist.distributed_c10d._set_pg_timeout(datetime.timedelta(seconds=patience_seconds))


def serve_rank(work: Json, rank: int, shared: Rendezvous, go: int, answers: int) -> None:
    """Join the other ranks, then execute one run per go signal until a run fails; a signal may also carry new work."""
    close_all_but(go, answers)
    reset_torch_state(work)
    run = 0

    def refuse(message: str) -> None:
        write_all(answers, frame({"run": run, "status": "mismatched", "message": message}))
        while True:  # the launcher ends the group; calling gloo now would abort this process or a peer
            time.sleep(60)

    recorder = Recorder(shared.log, rank, refuse)
    try:
        if work["is_distributed"]:
            shared.meet(rank, work["group_seconds"])
            recorder.start()
        write_all(answers, frame({"run": run, "status": "met"}))
    except Exception as error:
        sys.stderr.write(f"rank {rank} could not connect to the other ranks: {error}\n")
        return
    call = None
    with os.fdopen(go, "rb", buffering=0) as orders:
        while head := orders.read(GO.size):
            run, size = GO.unpack(head)
            if size:
                work, call = read_payload(read_exactly(orders, size)), None
            recorder.next_run()
            try:
                call = call or load_submission(work, recorder.made)
            except NotLoaded as error:
                write_all(answers, frame({"run": 0, "status": "not_loaded", "message": str(error)[:3000]}))
                continue
            whole, is_well = answer(work, call, run, rank)
            if is_well and (unwaited := recorder.unwaited):
                os.write(2, f"rank {rank} never waited for {unwaited}\n".encode())
            recorder.check_rest()
            write_all(answers, whole)
            if not is_well:
                return


def read_exactly(source: RawIOBase, size: int) -> bytes:
    """Read `size` bytes from a pipe, or fewer if the pipe is closed first."""
    data = bytearray()
    while len(data) < size and (chunk := source.read(size - len(data))):
        data += chunk
    return bytes(data)


def collect(ranks: list[Rank], run: int, seconds: float, log: CallLog) -> list[bytes]:
    """Return each rank's answer to one run.

    A rank is treated as stuck if it does not answer in time, or if it can never answer.
    """
    deadline = time.monotonic() + seconds
    answers: dict[Rank, bytes] = {}
    while len(answers) < len(ranks) and (left := deadline - time.monotonic()) > 0:
        waiting = {rank.answers: rank for rank in ranks if rank not in answers}
        for fd in select.select(list(waiting), [], [], min(left, CHECK_SECONDS) if answers else left)[0]:
            if whole := waiting[fd].read(run):
                answers[waiting[fd]] = whole
                if (status := status_of(whole)) not in ("ok", "met"):
                    # The run has failed; replies from other ranks within the grace period add detail.
                    grace = 0.0 if status == "mismatched" else GRACE_SECONDS
                    deadline = min(deadline, time.monotonic() + grace)
        if answers:
            deadline = min(deadline, time.monotonic() + seconds_left(ranks, set(answers), log))
    return [answers[rank] if rank in answers else frame({"run": run, "status": "stuck"}) for rank in ranks]


def seconds_left(ranks: list[Rank], answered: set[Rank], log: CallLog) -> float:
    """Return how many more seconds to wait; 0 if every remaining rank waits for a call its peers will never make."""
    finished = [number for number, rank in enumerate(ranks) if rank in answered]
    left = [number for number, rank in enumerate(ranks) if rank not in answered]
    stuck = []
    is_unmatched = False
    for number in left:
        call = log.waits_in(number)
        stuck.append(call is not None and log.is_unmatched(number, call, finished))
        last = next(log.calls(number), None)
        # The rank has started this call but may not be waiting in it yet. No correct program leaves a peer out of a
        # collective.
        is_unmatched = is_unmatched or (last is not None and log.is_unmatched(number, last, finished))
    if left and all(stuck):
        return 0.0
    if any(stuck):
        return GRACE_SECONDS
    return UNMATCHED_SECONDS if is_unmatched else float("inf")


def header_of(whole: bytes) -> Json:
    """Return the header that a rank's answer claims to have; {} if the answer is corrupt.

    The reader outside the sandbox reports a corrupt answer.
    """
    try:
        header = json.loads(whole[8 : 8 + struct.unpack_from("<I", whole)[0]])
    except (ValueError, RecursionError):
        return {}
    return header if isinstance(header, dict) else {}


def status_of(whole: bytes) -> str:
    """Return the status from an answer's header."""
    return str(header_of(whole).get("status"))


def with_collective(whole: bytes, rank: int, log: CallLog) -> bytes:
    """If a rank's answer reports a failure, add the collective that the rank is waiting in, or else its last one."""
    header = header_of(whole)
    if header.get("status") not in ("raised", "dead", "stuck"):
        return whole
    header["stood"], header["is_waiting"] = log.position_of(rank)
    return frame(header)


class Group:
    """The forked ranks of one world, joined into a process group at the start.

    A failed run ends the group, because its unfinished collectives would collide with those of the next run. With
    `interpreters`, each rank is forked from its own interpreter, and the first run's payload must contain the work.
    """

    def __init__(self, work: Json, world: int, log: int, interpreters: Sequence[Interpreter] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._ranks: list[Rank] = []
        # This is longer than gloo's own timeout, because gloo's message is more informative.
        self._patience = work["group_seconds"] * 1.25 + 0.5
        if interpreters:
            self._fork_from(interpreters, work, world, log)
        else:
            self._shared = Rendezvous(world, self._folder.name)
            for number in range(world):
                self._ranks.append(Rank(partial(self._fork, work, number, log), exit_code))
        meetings = collect(self._ranks, 0, MEETING_SECONDS * 1.25, self._shared.log)
        self.has_met = {status_of(whole) for whole in meetings} == {"met"}

    def _fork(self, work: Json, number: int, log: int, go: int, answers: int) -> int:
        return fork_rank(log, partial(serve_rank, work, number, self._shared, go, answers))

    def _fork_from(self, interpreters: Sequence[Interpreter], work: Json, world: int, log: int) -> None:
        # Wait for all interpreters before forking the first rank, because a rank waits only a limited time for its
        # peers.
        for interpreter in interpreters:
            interpreter.wait_until_ready()
        with tempfile.TemporaryFile(dir=self._folder.name) as memory:
            memory.truncate(world * REGION_BYTES)
            self._shared = Rendezvous(world, self._folder.name, memory.fileno())
            order = {"settings": {name: work[name] for name in SETTINGS}, "world": world, "folder": self._folder.name}
            for number, interpreter in zip(range(world), interpreters, strict=False):
                fork = partial(interpreter.fork, {**order, "rank": number}, log, memory.fileno())
                self._ranks.append(Rank(fork, interpreter.exit_code))

    @property
    def is_clean(self) -> bool:
        """Return whether the last run left no state in the group, so that another program may use the group."""
        return self._shared.log.is_clean

    def answer(self, run: int, payload: bytes = b"") -> list[bytes]:
        """Return each rank's answer to one run; `payload` contains the work if the ranks do not have it yet."""
        log = self._shared.log
        log.clear()
        for rank in self._ranks:
            with suppress(BrokenPipeError):
                write_all(rank.go, GO.pack(run, len(payload)) + payload)
        answers = collect(self._ranks, run, self._patience, log)
        return [with_collective(whole, number, log) for number, whole in enumerate(answers)]

    def end(self) -> None:
        """Kill all ranks."""
        for rank in self._ranks:
            rank.end()
        self._folder.cleanup()


@dataclass
class Kept:
    """State that is kept between programs: the interpreters, one per rank, and groups that wait for the next program.

    If `keeps_groups` is false, a group is ended after its last run instead of waiting for the next program.
    """

    interpreters: list[Interpreter] = field(default_factory=list)
    groups: dict[tuple[int, float, bool], Group] = field(default_factory=dict)
    keeps_groups: bool = True

    def end(self) -> None:
        """End all groups of ranks and all interpreters that are kept between programs."""
        for group in self.groups.values():
            group.end()
        for interpreter in self.interpreters:
            interpreter.end()


def answer_batch(work: Json, batch: list[int], emit: Emit, log: int, kept: Kept) -> int:
    """Execute a batch of runs in one group of ranks; stop after the first failure and return how many were executed.

    A kept group is reused, and is kept again if the run leaves nothing behind in the group.
    """
    world, has_own_seeds = kind_of_group(work["runs"][batch[0]])
    key = world, work["group_seconds"], has_own_seeds
    group = kept.groups.pop(key, None)
    # Ranks forked from this process from now on inherit the payload, so it does not have to be sent to them.
    payload = b"" if group is None and not has_own_seeds else work["payload"]
    group = group or Group(work, world, log, kept.interpreters if has_own_seeds else ())
    is_kept = False
    try:
        if not group.has_met:
            emit(frame({"run": batch[0], "status": "lost", "message": "the ranks of the gloo group could not connect"}))
            return len(work["runs"])
        for done, run in enumerate(batch, 1):
            os.write(log, run_mark(run).encode())
            answers = group.answer(run, payload)
            payload = b""
            statuses = [status_of(whole) for whole in answers]
            if "not_loaded" in statuses:
                emit(answers[statuses.index("not_loaded")])
                return len(work["runs"])
            for whole in answers:
                emit(whole)
            if set(statuses) != {"ok"}:
                return done
        is_kept = kept.keeps_groups and group.is_clean
        return len(batch)
    finally:
        if is_kept:
            kept.groups[key] = group
        else:
            group.end()


def kind_of_group(run: Json) -> tuple[int, bool]:
    """Return the number of ranks a run needs, and whether each rank has its own hash seed."""
    return run["world"], run["has_own_hash_seeds"]


def write_all(fd: int, data: bytes) -> None:
    """Write all of the data, even if one write accepts only part of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]

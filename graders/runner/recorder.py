"""Intercepts every collective of a rank in torch's dispatcher, before gloo runs it; runs inside the sandbox.

The hook is below Python's functions, so it also sees collectives started by DDP, FSDP and autograd.
"""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
import torch.distributed as dist

from graders.runner.collectives import NO_CALL, OPERATIONS, Call, CallLog, Operation
from graders.runner.execution import SUBMISSION

PYTHON_FRONT = "distributed_c10d.py"
_recorders: list[Recorder] = []


class Recorder:
    """Logs each call of one rank in the shared log; calls `on_mismatch` if a call does not match a peer's."""

    def __init__(self, log: CallLog, rank: int, on_mismatch: Callable[[str], None]) -> None:
        self.made: list[str] = []
        self._log, self._rank, self._on_mismatch = log, rank, on_mismatch
        self._numbers: Counter[tuple[int, bool]] = Counter()
        self._unwaited: dict[Any, tuple[int, Call]] = {}

    def start(self) -> None:
        """Start recording in this process."""
        _recorders[:] = [self]
        wait = dist.Work.wait

        def recorded_wait(work: Any, *args: Any, **more: Any) -> Any:
            place = self._unwaited.pop(work, (NO_CALL, None))[0]
            if place == NO_CALL:
                return wait(work, *args, **more)
            self._log.wait(self._rank, place)
            result = wait(work, *args, **more)
            # Keep the record if the call raises: it shows which call this rank was in when the group failed.
            self._log.wait(self._rank, NO_CALL)
            return result

        setattr(dist.Work, "wait", recorded_wait)  # noqa: B010 -- mypy rejects an assignment
        for name in ("get_future", "is_completed", "synchronize"):
            setattr(dist.Work, name, self._noticing(getattr(dist.Work, name)))

    def next_run(self) -> None:
        """Reset the counters for the next run."""
        self.made.clear()
        self._numbers.clear()
        self._unwaited.clear()

    @property
    def unwaited(self) -> str:
        """Describe the run's first asynchronous call that was never waited for; "" if there is no such call."""
        return next((call.words(self._log.world) for _, call in self._unwaited.values()), "")

    def check_rest(self) -> None:
        """Mark the log as dirty if this run may have left something behind.

        This can be a point-to-point message, an asynchronous call that was never waited for, or a process group.
        """
        has_messages = any(is_message for _, is_message in self._numbers)
        if has_messages or self._unwaited or len(dist.distributed_c10d._world.pg_map) > 1:
            self._log.mark_dirty(self._rank)

    def record(self, name: str, operation: Operation, args: tuple[Any, ...], run: Callable[[], Any]) -> Any:
        """Log one call and execute it."""
        place = len(self.made)
        self.made.append(operation.name)
        call = self._call(name, operation, args)
        self._log.begin(self._rank, place, call)
        if mismatch := self._log.mismatch(self._rank, call):
            self._on_mismatch(mismatch)
        self._log.wait(self._rank, place)
        result = run()
        self._log.wait(self._rank, NO_CALL)
        work = result[-1] if isinstance(result, tuple) else result
        # Calls started in C++, for example by DDP's reducer, are also waited for in C++.
        if work is not None and PYTHON_FRONT in sys._getframe(2).f_code.co_filename:
            # `unbox` returns the same `Work` object that the caller of the collective gets.
            self._unwaited[dist.Work.unbox(work)] = place, call
        return result

    def _call(self, name: str, operation: Operation, args: tuple[Any, ...]) -> Call:
        group = dist.ProcessGroup.unbox(args[operation.group_place])
        members = dist.get_process_group_ranks(group)
        tensor = args[operation.tensor_place]
        while isinstance(tensor, list | tuple):
            tensor = tensor[0] if tensor else torch.empty(0)
        root = NO_CALL if operation.root_place is None else members[args[operation.root_place]]
        key = zlib.crc32(group.group_name.encode())
        self._numbers[key, operation.is_between_two] += 1
        number = self._numbers[key, operation.is_between_two]
        dtype, shape = str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape)
        return Call(name, number, key, tuple(members), dtype, shape, tensor.numel(), root, _line())

    def _noticing(self, method: Any) -> Any:
        def noticed(work: Any, *args: Any) -> Any:
            self._unwaited.pop(work, None)
            return method(work, *args)

        return noticed


def _line() -> int:
    """Return the line of the submission that made this call, or 0."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != SUBMISSION:
        frame = frame.f_back  # type: ignore[assignment]
    return frame.f_lineno if frame is not None else 0


@cache
def intercept() -> torch.library.Library:
    """Return the library that routes torch's collectives through the process's active recorder, if any.

    Call this function once in the launcher, because otherwise every forked rank would spend 10 ms on it.
    """
    # The cache keeps the library and its registrations alive.
    library = torch.library.Library("c10d", "IMPL")  # type: ignore[no-untyped-call]
    # Unlike autograd's key, this key is also active in inference mode.
    below = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)
    for name, operation in OPERATIONS.items():
        if not hasattr(torch.ops.c10d, name):
            continue  # this untested torch version lacks the operation; gloo's timeout still reports failures
        kernel = _kernel(name, operation, below)
        library.impl(name, kernel, "BackendSelect", with_keyset=True)  # type: ignore[no-untyped-call]
    return library


def _kernel(name: str, operation: Operation, below: Any) -> Callable[..., Any]:
    dispatched = getattr(torch.ops.c10d, name).default

    def kernel(keys: Any, *args: Any, **more: Any) -> Any:
        if not _recorders:
            return dispatched.redispatch(keys & below, *args, **more)
        return _recorders[0].record(name, operation, args, lambda: dispatched.redispatch(keys & below, *args, **more))

    return kernel

"""Logs each rank's latest collectives in memory shared by all ranks and the launcher, inside the sandbox.

The submission can also write to this shared memory, so reads are bounded, and the data is only used to explain a
verdict that has already been decided.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CALLS_KEPT = 128
DIMENSIONS_MAX = 6
RANKS_MAX = 64
DTYPES = (
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint8",
    "bool",
    "float8_e4m3fn",
    "float8_e5m2",
    "uint16",
    "uint32",
    "uint64",
    "complex64",
    "complex128",
    "other dtype",
)
HEAD = struct.Struct("<qqq")
SLOT = struct.Struct(f"<qIQBBqqiB{DIMENSIONS_MAX}q")
REGION_BYTES = HEAD.size + CALLS_KEPT * SLOT.size
NO_CALL = -1


@dataclass(frozen=True)
class Operation:
    """One operation of torch's dispatcher: its name in torch.distributed and the positions of its arguments.

    `needs_all`: the operation has no root, so no rank completes before every rank has called it. `is_even`: all ranks
    send the same amount.
    """

    name: str
    tensor_place: int
    group_place: int
    root_place: int | None = None
    root_word: str = "from"
    needs_all: bool = True
    is_even: bool = True

    @property
    def is_between_two(self) -> bool:
        """Return whether this call is a send or a receive, in which only two ranks take part."""
        return self.name in ("send", "recv")


OPERATIONS = {
    "allreduce_": Operation("all_reduce", 0, 1),
    "allreduce_coalesced_": Operation("all_reduce_coalesced", 0, 1),
    "broadcast_": Operation("broadcast", 0, 1, 2, needs_all=False),
    "reduce_": Operation("reduce", 0, 1, 3, "to", needs_all=False),
    "allgather_": Operation("all_gather", 1, 2),
    "_allgather_base_": Operation("all_gather_into_tensor", 1, 2),
    "allgather_coalesced_": Operation("all_gather_coalesced", 1, 2),
    "allgather_into_tensor_coalesced_": Operation("all_gather_into_tensor_coalesced", 1, 2),
    "reduce_scatter_": Operation("reduce_scatter", 0, 2),
    "_reduce_scatter_base_": Operation("reduce_scatter_tensor", 0, 2),
    "reduce_scatter_tensor_coalesced_": Operation("reduce_scatter_tensor_coalesced", 0, 2),
    "alltoall_": Operation("all_to_all", 1, 2, is_even=False),
    "alltoall_base_": Operation("all_to_all_single", 1, 2, is_even=False),
    "gather_": Operation("gather", 1, 2, 3, "to", needs_all=False),
    "scatter_": Operation("scatter", 0, 2, 3, needs_all=False),
    "barrier": Operation("barrier", 0, 1),
    "monitored_barrier_": Operation("monitored_barrier", 0, 1),
    "send": Operation("send", 0, 1, 2, "to", needs_all=False),
    "recv_": Operation("recv", 0, 1, 2, needs_all=False),
    "recv_any_source_": Operation("recv", 0, 1, needs_all=False),
}
ORDER = tuple(OPERATIONS)


@dataclass(frozen=True)
class Call:
    """One call by one rank; `number` counts from 1 within each run and group, separately for sends and receives."""

    operation: str
    number: int
    group: int
    members: tuple[int, ...]
    dtype: str
    shape: tuple[int, ...]
    elements: int
    root: int
    line: int

    @property
    def kind(self) -> Operation:
        """Return the operation's properties."""
        return OPERATIONS[self.operation]

    def words(self, world: int) -> str:
        """Return the call as shown to the candidate: "all_reduce #3 of [5] float32, line 42"."""
        text = f"{self.kind.name} #{self.number}"
        if "barrier" not in self.kind.name:
            text += f" of {list(self.shape)} {self.dtype}"
        if self.root >= 0:
            text += f" {self.kind.root_word} rank {self.root}"
        if len(self.members) < world and not self.kind.is_between_two:
            text += f" among ranks {', '.join(map(str, self.members))}"
        return text + (f", line {self.line}" if self.line > 0 else "")

    def needed(self, rank: int) -> tuple[int, ...]:
        """Return the ranks that certainly must make this call before `rank` can complete it.

        The result is empty for a send or receive.
        """
        if self.root < 0:
            return self.members if self.kind.needs_all else ()
        is_at_root = rank == self.root
        if self.kind.is_between_two or is_at_root != (self.kind.root_word == "to"):
            return ()
        return self.members if is_at_root else (self.root,)

    def fits(self, other: Call) -> bool:
        """Return whether two ranks' calls with the same number and group can belong to the same collective."""
        sides = [(call.operation, call.root) for call in (self, other)]
        is_even = self.kind.is_even and "barrier" not in self.kind.name
        amounts = [(call.elements, _as_logged(call.dtype)) for call in (self, other)]
        return sides[0] == sides[1] and not (is_even and amounts[0] != amounts[1])


def _as_logged(dtype: str) -> str:
    """Return a dtype's name as the log stores it: the log has one name for all dtypes that are not in its list."""
    return dtype if dtype in DTYPES else DTYPES[-1]


class CallLog:
    """Each rank's latest calls, and the call in which the rank is waiting, if any.

    `memory` is a file descriptor with at least `world` * REGION_BYTES bytes that all ranks map. Without a descriptor,
    the memory is anonymous and shared only by processes forked from this process.
    """

    def __init__(self, world: int, memory: int = -1) -> None:
        self.world = world
        self._memory = mmap.mmap(memory, world * REGION_BYTES)
        self.clear()

    def clear(self) -> None:
        """Delete the records of all collective calls. This method must not be called during a run."""
        for rank in range(self.world):
            HEAD.pack_into(self._memory, rank * REGION_BYTES, 0, NO_CALL, 0)

    def begin(self, rank: int, place: int, call: Call) -> None:
        """Log a rank's call; `place` is its index among all of the rank's calls in this run, counted from 0."""
        shape = call.shape[:DIMENSIONS_MAX]
        members = sum(1 << member for member in call.members if member < RANKS_MAX)
        dtype = DTYPES.index(_as_logged(call.dtype))
        numbers = (call.number, call.group, members, ORDER.index(call.operation), dtype, call.elements, call.root)
        start = rank * REGION_BYTES
        slot = start + HEAD.size + place % CALLS_KEPT * SLOT.size
        padding = (0,) * (DIMENSIONS_MAX - len(shape))
        SLOT.pack_into(self._memory, slot, *numbers, call.line, len(shape), *shape, *padding)
        struct.pack_into("<qq", self._memory, start, place + 1, NO_CALL)

    def wait(self, rank: int, place: int) -> None:
        """Record which call a rank is waiting in; NO_CALL means that it is not waiting."""
        struct.pack_into("<q", self._memory, rank * REGION_BYTES + 8, place)

    def waits_in(self, rank: int) -> Call | None:
        """Return the call that a rank is waiting in."""
        begun, place, _ = HEAD.unpack_from(self._memory, rank * REGION_BYTES)
        return self._read(rank, place) if max(0, begun - CALLS_KEPT) <= place < begun else None

    def mark_dirty(self, rank: int) -> None:
        """Record that a rank left something behind in its group that could affect the next program."""
        struct.pack_into("<q", self._memory, rank * REGION_BYTES + 16, 1)

    @property
    def is_clean(self) -> bool:
        """Return whether all ranks made the same number of calls, and no rank is marked as dirty."""
        heads = [HEAD.unpack_from(self._memory, rank * REGION_BYTES) for rank in range(self.world)]
        return len({begun for begun, _, _ in heads}) == 1 and not any(spoiled for _, _, spoiled in heads)

    def calls(self, rank: int) -> Iterator[Call]:
        """Yield a rank's latest calls, newest first."""
        begun, _, _ = HEAD.unpack_from(self._memory, rank * REGION_BYTES)
        if 0 < begun < 2**31:
            for place in range(begun - 1, max(-1, begun - 1 - CALLS_KEPT), -1):
                if call := self._read(rank, place):
                    yield call

    def position_of(self, rank: int) -> tuple[str, bool]:
        """Describe the call that a rank is waiting in, or else its last call, and return whether it is waiting."""
        waiting = self.waits_in(rank)
        call = waiting or next(self.calls(rank), None)
        return (call.words(self.world) if call else ""), waiting is not None

    def mismatch(self, rank: int, call: Call) -> str:
        """Describe how a rank's call differs from the calls of its peers; "" if the call matches.

        The last rank to make a call sees the calls of all other ranks, so each rank checks after logging its own call.
        """
        if call.kind.is_between_two:
            return ""
        for peer in call.members:
            theirs = None if peer == rank or peer >= self.world else self._partner(peer, call)
            if theirs is not None and theirs.members == call.members and not call.fits(theirs):
                sides = sorted([(rank, call), (peer, theirs)], key=lambda side: side[0])
                return "; ".join(f"rank {who} calls {what.words(self.world)}" for who, what in sides)
        return ""

    def is_unmatched(self, rank: int, call: Call, finished: Sequence[int]) -> bool:
        """Return whether a finished rank never made the call that has to match this one."""
        return any(
            peer in finished and peer != rank and self._knows_all(peer) and self._partner(peer, call) is None
            for peer in call.needed(rank)
        )

    def _knows_all(self, rank: int) -> bool:
        return bool(HEAD.unpack_from(self._memory, rank * REGION_BYTES)[0] <= CALLS_KEPT)

    def _partner(self, rank: int, call: Call) -> Call | None:
        """Return the rank's call that has the same number and group as this call; None if there is none."""
        for theirs in self.calls(rank):
            if theirs.group == call.group and not theirs.kind.is_between_two and theirs.number <= call.number:
                return theirs if theirs.number == call.number else None
        return None

    def _read(self, rank: int, place: int) -> Call | None:
        start = rank * REGION_BYTES + HEAD.size + place % CALLS_KEPT * SLOT.size
        number, group, members, code, dtype, elements, root, line, dimensions, *shape = SLOT.unpack_from(
            self._memory, start
        )
        if code >= len(ORDER) or dtype >= len(DTYPES) or dimensions > DIMENSIONS_MAX:
            return None
        ranks = tuple(member for member in range(RANKS_MAX) if members >> member & 1)
        sizes = tuple(shape[:dimensions])
        return Call(ORDER[code], number, group, ranks, DTYPES[dtype], sizes, elements, root, line)

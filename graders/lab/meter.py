"""Measures how much memory tensors use: from torch's allocator on a GPU, and by counting allocations on a CPU."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

COUNTED = (
    "No GPU was used: the lab counted the bytes of all tensors that torch allocated. "
    "Temporary buffers inside a kernel are not counted."
)
ALLOCATOR = (
    "Read from torch's CUDA allocator, which rounds each tensor up to 512 bytes. "
    "Memory outside the allocator, such as the CUDA context, is not included."
)


class Meter(Protocol):
    """Reports the tensor memory on one device, in bytes, relative to the amount when the meter started."""

    device: str
    method: str

    def live_bytes(self) -> int:
        """Return the total size of all live tensors, in bytes."""
        ...

    def peak_bytes(self) -> int:
        """Return the maximum of `live_bytes` since the last call to `reset_peak`."""
        ...

    def reset_peak(self) -> None:
        """Reset the peak to the current value."""
        ...


class AllocationCounter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts the storages of all tensors that operations return while this mode is active, until they are freed.

    Views share a storage, so a shared storage is counted only once. An operation that resizes a storage updates its
    size.
    """

    device = "cpu"
    method = COUNTED

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._sizes: dict[int, int] = {}
        self._watches: dict[int, weakref.ref[torch.UntypedStorage]] = {}
        self._live_bytes = 0
        self._peak_bytes = 0

    def live_bytes(self) -> int:
        """Return the total size of all live counted storages, in bytes."""
        return self._live_bytes

    def peak_bytes(self) -> int:
        """Return the maximum of `live_bytes` since the last call to `reset_peak`."""
        return self._peak_bytes

    def reset_peak(self) -> None:
        """Reset the peak to the current value."""
        self._peak_bytes = self._live_bytes

    def __torch_dispatch__(
        self, func: Callable[..., Any], types: object, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run the operation and count the tensors that it returns."""
        result = func(*args, **(kwargs or {}))
        for leaf in tree_iter(result):
            if isinstance(leaf, torch.Tensor) and leaf.device.type == self.device:
                self._count(leaf.untyped_storage())
        return result

    def _count(self, storage: torch.UntypedStorage) -> None:
        """Count a storage, or update its size. The weak reference runs `_freed` once no tensor uses the storage."""
        key = storage._cdata
        if key not in self._sizes:
            self._watches[key] = weakref.ref(storage, lambda _: self._freed(key))
        self._live_bytes += storage.nbytes() - self._sizes.get(key, 0)
        self._sizes[key] = storage.nbytes()
        self._peak_bytes = max(self._peak_bytes, self._live_bytes)

    def _freed(self, key: int) -> None:
        self._live_bytes -= self._sizes.pop(key)
        del self._watches[key]


class CudaMeter:
    """Reads torch's CUDA allocator; all values are relative to what was allocated after a warm-up.

    The warm-up runs the forward and backward pass of a matmul, because cuBLAS allocates a workspace for each thread.
    """

    device = "cuda"
    method = ALLOCATOR

    def __init__(self) -> None:
        weight = torch.ones(8, 8, device="cuda", dtype=torch.bfloat16, requires_grad=True)
        torch.autograd.grad((weight @ weight).sum(), weight)
        del weight
        torch.cuda.synchronize()
        self._before_bytes = torch.cuda.memory_allocated()

    def __enter__(self) -> CudaMeter:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing, because the CUDA allocator keeps its own statistics."""

    def live_bytes(self) -> int:
        """Return the allocated bytes."""
        torch.cuda.synchronize()
        return torch.cuda.memory_allocated() - self._before_bytes

    def peak_bytes(self) -> int:
        """Return the maximum number of allocated bytes since the last call to `reset_peak`."""
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - self._before_bytes

    def reset_peak(self) -> None:
        """Reset the peak to the current value."""
        torch.cuda.reset_peak_memory_stats()

"""Simulates a GPU on a machine without one: its tensors stay in main memory, but devices must not be mixed.

It does not simulate the numbers that a GPU computes, its kernels, its memory, or its driver in a sandbox.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode

HERE, THERE = torch.device("cpu"), torch.device("cuda", 0)
# Elementwise arithmetic takes a single number from the CPU; these want everything on one device.
TAKES_NO_NUMBER = {"cat", "concat", "stack", "hstack", "vstack", "gather", "scatter", "scatter_add", "matmul", "bmm"}
DIFFERENT = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! ({})"


def is_there(value: object) -> bool:
    """Return whether this is a tensor on the simulated GPU."""
    return isinstance(value, torch.Tensor) and getattr(value, "lies_there", False)


def tensors_in(value: object) -> list[torch.Tensor]:
    """Return the tensors in arguments or results; those in a list keep its order."""
    tensors: list[torch.Tensor] = []
    # A loop, because this runs a million times, and the list grows during the iteration.
    waiting = [value]
    for item in waiting:
        if isinstance(item, torch.Tensor):
            tensors.append(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
    return tensors


def laid(value: Any, there: bool) -> Any:
    """Return a result whose tensors are on the right device."""
    if isinstance(value, torch.Tensor):
        value.lies_there = there  # type: ignore[attr-defined]
    elif isinstance(value, dict | list | tuple):
        for tensor in tensors_in(value):
            tensor.lies_there = there  # type: ignore[attr-defined]
    return value


class ActedGpu(TorchFunctionMode):
    """Runs every operation on the CPU, and rejects tensors on two devices as torch does."""

    def __torch_function__(self, func: Callable[..., Any], types: object, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        attribute = getattr(getattr(func, "__self__", None), "__name__", "") if name in ("__get__", "__set__") else ""
        own: Any = args[0] if args else None
        if attribute in ("device", "is_cuda", "is_cpu"):
            there = is_there(own)
            return {"device": THERE if there else HERE, "is_cuda": there, "is_cpu": not there}[attribute]
        if name == "__get__":
            return laid(func(own), is_there(own))
        if attribute == "data" and name == "__set__":
            func(*args)
            laid(own, is_there(args[1]))
            return None
        if func is torch.autograd.grad:
            slopes = func(*args, **kwargs)
            sources = tensors_in(kwargs.get("inputs", args[1:2]))
            return tuple(laid(slope, is_there(source)) for slope, source in zip(slopes, sources, strict=True))
        if name in ("cpu", "cuda"):
            return laid(own.clone(), name == "cuda")
        if name == "to":
            return carried(func, args, kwargs)
        if name in ("numpy", "__array__") and is_there(own):
            raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first.")
        if kwargs.get("device") is not None:
            there = torch.device(kwargs["device"]).type == "cuda"
            return laid(func(*args, **{**kwargs, "device": HERE}), there)
        return laid(func(*args, **kwargs), is_on_the_gpu(name, args, kwargs))


def carried(func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return the result of `Tensor.to`: on the named device, or on the device of the given tensor."""
    own, *words = args
    there = is_there(own)
    for word in (*words, kwargs.get("device"), kwargs.get("other")):
        if isinstance(word, torch.Tensor):
            there = is_there(word)
        elif isinstance(word, str | torch.device):
            there = torch.device(word).type == "cuda"
    words = [HERE if isinstance(word, str | torch.device) else word for word in words]
    moved = func(own, *words, **({**kwargs, "device": HERE} if "device" in kwargs else kwargs))
    return laid(own.clone() if moved is own and there != is_there(own) else moved, there)


def is_on_the_gpu(name: str, args: Any, kwargs: Any) -> bool:
    """Return the device of an operation's result. Raises RuntimeError if its tensors are on two devices."""
    tensors = tensors_in([args, kwargs])
    if not any(map(is_there, tensors)):
        return False
    if name in ("copy_", "_has_compatible_shallow_copy_type"):
        return is_there(args[0])
    if name in ("__getitem__", "__setitem__"):
        if not is_there(args[0]) and any(map(is_there, tensors_in(args[1]))):
            raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
        return is_there(args[0])
    if any(not is_there(tensor) and (tensor.dim() > 0 or name in TAKES_NO_NUMBER) for tensor in tensors):
        raise RuntimeError(DIFFERENT.format(name))
    return True


@contextmanager
def acted_gpu() -> Iterator[None]:
    """Make torch see a GPU while this context is open."""
    make = torch.nn.Parameter.__new__

    def make_there(cls: type, data: Any = None, requires_grad: bool = True) -> Any:
        return laid(make(cls, data, requires_grad), is_there(data))

    with pytest.MonkeyPatch.context() as patch, ActedGpu():
        patch.setattr(torch.cuda, "synchronize", lambda: None)
        patch.setattr(torch.cuda, "manual_seed_all", lambda seed: None)
        patch.setattr(torch.nn.Parameter, "__new__", make_there)
        yield

"""Runs the forward and the backward pass, and records which tensors exist at the same time."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.weak import WeakIdKeyDictionary


class MemoryMeter(TorchDispatchMode):
    """Measures the memory of all tensors that were created inside and still exist, and the values of the largest."""

    def __init__(self, inputs):
        super().__init__()
        self._size = max(4, inputs[0].element_size())
        self._inputs = {id(tensor.untyped_storage()): tensor for tensor in inputs}
        self._live = WeakIdKeyDictionary()
        self.largest = self.peak = 0

    def live(self):
        return sum(self._live.values()) / self._size

    def restart(self):
        self.peak = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor) and id(leaf.untyped_storage()) not in self._inputs:
                storage = leaf.untyped_storage()
                self._live[storage] = storage.nbytes()
                self.largest = max(self.largest, storage.nbytes() / leaf.element_size())
        self.peak = max(self.peak, self.live())
        return result


def run_unmeasured(entry, hidden, weight, tokens, chunk, upstream):
    """Return the log-probabilities and the gradients. For timing: the meter would take part of the time."""
    logp = entry(hidden, weight, tokens, chunk)
    if isinstance(logp, torch.Tensor) and logp.requires_grad and logp.shape == upstream.shape:
        logp.backward(upstream)
        return {"logp": logp.detach(), "grad_hidden": hidden.grad, "grad_weight": weight.grad}
    return {"logp": logp}


def drive(entry, args):
    """Return the log-probabilities, the gradients if there is an `upstream`, and whether memory stays in bounds."""
    upstream, chunk = args["upstream"], args["chunk"]
    hidden, weight = (args[name].detach().requires_grad_(upstream is not None) for name in ("hidden", "weight"))
    tokens = args["tokens"]
    if "is_timed" in args:
        return run_unmeasured(entry, hidden, weight, tokens, chunk, upstream)
    (steps, width), words = hidden.shape, weight.shape[0]
    total_max = 8 * chunk * words + 4 * width * (steps + words)
    tensor_max = max(chunk * words, width * steps, width * words)
    with MemoryMeter((hidden, weight, tokens)) as meter:
        logp = entry(hidden, weight, tokens, chunk)
        result = {"logp": logp.detach().clone()}
        is_within = {"forward": meter.peak <= total_max, "between": meter.live() <= total_max}
        if upstream is not None:
            meter.restart()
            # Without a graph, or with results of the wrong shape, the gradients stay 0.
            if logp.requires_grad and logp.shape == upstream.shape:
                logp.backward(upstream)
            is_within["backward"] = meter.peak <= total_max
            for name, leaf in (("hidden", hidden), ("weight", weight)):
                result[f"grad_{name}"] = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        is_within["largest_tensor"] = meter.largest <= tensor_max
    return {**result, "within_memory_limit": is_within}

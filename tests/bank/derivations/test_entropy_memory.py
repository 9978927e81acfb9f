"""How much memory a chunked entropy saves: the logits that the entropy is computed from are in memory anyway."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

pytestmark = pytest.mark.content

TOKENS, VOCABULARY, CHUNK = 16_384, 152_064, 2048
SMALLER = 64  # the test uses a 64th of the tokens and of the vocabulary
BF16, FLOAT32 = 2, 4


class Live(TorchDispatchMode):
    """Counts the bytes of the tensors that operations returned and that are still referenced."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held: dict[int, tuple[StorageWeakRef, int]] = {}
        self.peak = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for tensor in out if isinstance(out, (tuple, list)) else (out,):
            if isinstance(tensor, torch.Tensor):
                storage = tensor.untyped_storage()
                self.held[storage._cdata] = (StorageWeakRef(storage), storage.nbytes())  # type: ignore[no-untyped-call]
        self.held = {key: entry for key, entry in self.held.items() if not entry[0].expired()}  # type: ignore[no-untyped-call]
        self.peak = max(self.peak, sum(size for _, size in self.held.values()))
        return out


def entropy_in_chunks(logits: torch.Tensor, chunk: int) -> torch.Tensor:
    """Return the entropy of each row, computed in chunks as in verl/utils/torch_functional.py."""
    entropy = torch.zeros(len(logits))
    for start in range(0, len(logits), chunk):
        part = logits[start : start + chunk].float()
        probs = part.softmax(-1)
        entropy[start : start + chunk] = part.logsumexp(-1) - (probs * part).sum(-1)
    return entropy


def test_chunks_leave_the_logits_and_add_three_float32_arrays() -> None:
    tokens, vocabulary, chunk = (size // SMALLER for size in (TOKENS, VOCABULARY, CHUNK))
    whole, part = tokens * vocabulary * BF16, 3 * chunk * vocabulary * FLOAT32
    values = torch.randn(tokens, vocabulary, generator=torch.Generator().manual_seed(0))

    with Live() as live:
        logits = values.to(torch.bfloat16)
        entropy = entropy_in_chunks(logits, chunk)

    assert live.peak == pytest.approx(whole + part, rel=0.01)
    logprobs = values.to(torch.bfloat16).float().log_softmax(-1)
    exact = -(logprobs.exp() * logprobs).sum(-1)
    torch.testing.assert_close(entropy, exact, atol=1e-4, rtol=1e-4)


def test_the_sizes_that_the_answer_states() -> None:
    whole, part = TOKENS * VOCABULARY * BF16 / 1e9, 3 * CHUNK * VOCABULARY * FLOAT32 / 1e9

    assert round(whole, 1) == 5.0
    assert round(part, 1) == 3.7
    assert round(whole + part, 1) == 8.7
    assert round(TOKENS * VOCABULARY * (4 + 2 + 1) / 1e9, 1) == 17.4

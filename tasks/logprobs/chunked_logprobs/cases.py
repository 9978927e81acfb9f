"""Shapes are fixed, because they decide which programs use too much memory; adjacent tokens differ."""

import math
from collections.abc import Iterator
from dataclasses import replace

import torch

from tasks.task import Case

WITHIN_LIMIT = {"forward": True, "between": True, "backward": True, "largest_tensor": True}


def uniform(rng, *shape):
    return 4 * torch.rand(shape, generator=rng) - 2


def by_hand(name, chunk, hidden, weight, tokens, logp, grad_hidden, grad_weight):
    args = {"hidden": torch.tensor(hidden), "weight": torch.tensor(weight), "tokens": torch.tensor(tokens)}
    args |= {"chunk": chunk, "upstream": torch.ones(len(tokens) - 1)}
    gradients = {"grad_hidden": grad_hidden, "grad_weight": grad_weight}
    expected = {"logp": logp, **gradients, "within_memory_limit": WITHIN_LIMIT}
    return Case(name=name, args=args, visible=True, expected=expected)


def example(name, chunk):
    """Return a text with logits 1, 0, 1 and 0, 2, 2; the gradient of the logits is one-hot minus probabilities."""
    one, two = 1 / (2 * math.e + 1), 1 / (2 * math.e**2 + 1)  # of the logit that is smaller than the other two
    p, q = (1 - one) / 2, (1 - two) / 2
    first, second = (-p, -one, 1 - p), (-two, 1 - q, -q)
    # The rows of `weight` are (1, 0), (0, 1) and (1, 1); the hidden states are (1, 0) and (0, 2).
    grad_hidden = [[g[0] + g[2], g[1] + g[2]] for g in (first, second)]
    grad_weight = [[first[word], 2 * second[word]] for word in range(3)]
    hidden, weight = [[1.0, 0.0], [0.0, 2.0], [5.0, 5.0]], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    logp = [math.log(p), math.log(q)]
    return by_hand(name, chunk, hidden, weight, [0, 2, 1], logp, [*grad_hidden, [0.0, 0.0]], grad_weight)


def huge_logits():
    """Return logits of 1e4, -1e4, 0 and of -1e4, -9e3, -1e4; the largest one has all the probability."""
    hidden = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    weight = [[1e4, -1e4], [-1e4, -9e3], [0.0, -1e4]]
    # The first and the third token move a probability of 1 from word 0 to words 1 and 2.
    grad_hidden = [[-2e4, 1e3], [0.0, 0.0], [-1e4, 0.0], [0.0, 0.0]]
    grad_weight = [[-2.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
    return by_hand("huge_logits", 2, hidden, weight, [0, 1, 1, 2], [-2e4, 0.0, -1e4], grad_hidden, grad_weight)


def drawn(name, rng, steps, width, words, chunk, *, is_half=False):
    hidden, weight = uniform(rng, steps, width), uniform(rng, words, width)
    tokens = torch.randint(1, words, (steps,), generator=rng).cumsum(0) % words
    args = {"hidden": hidden, "weight": weight, "tokens": tokens, "chunk": chunk}
    if is_half:
        halves = {"hidden": hidden.bfloat16(), "weight": weight.bfloat16(), "upstream": None}
        return Case(name=name, args={**args, **halves})
    return Case(name=name, args={**args, "upstream": uniform(rng, steps - 1)})


def timed(rng):
    """Return a long text over a large vocabulary for timing; the gradients are computed as well."""
    case = drawn("timed", rng, 513, 64, 8_000, 64)
    return replace(case, args={**case.args, "is_timed": True})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example("one_at_a_time", 1)
    yield example("one_chunk", 10)
    yield huge_logits()
    # 21 positions are five chunks and one position; 20 positions are four chunks.
    yield drawn("last_chunk_short", rng, 22, 5, 9, 4)
    yield drawn("whole_chunks", rng, 21, 5, 9, 5)
    yield drawn("two_tokens", rng, 2, 3, 7, 3)
    yield drawn("long_text", rng, 302, 5, 500, 4)
    yield drawn("longer_text", rng, 901, 4, 200, 16)
    yield drawn("half_precision", rng, 23, 6, 11, 4, is_half=True)

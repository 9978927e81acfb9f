"""Samples with prompts and answers of different lengths, scored in chunks and in batches of different sizes."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 7
SIZE = 4
POSITIONS = 20


def draw_weights(rng, dtype=torch.float32):
    shapes = {
        "embed": (VOCABULARY, SIZE),
        "position": (POSITIONS, SIZE),
        "query": (SIZE, SIZE),
        "key": (SIZE, SIZE),
        "head": (SIZE, VOCABULARY),
    }
    return {name: 0.6 * torch.randn(*shape, generator=rng, dtype=dtype) for name, shape in shapes.items()}


def draw_samples(rng, lengths, low=1):
    """Return samples whose prompts and answers have these lengths; token 0 is also the padding id."""
    return [tuple(torch.randint(low, VOCABULARY, (n,), generator=rng).tolist() for n in pair) for pair in lengths]


def case(name, rng, lengths, chunk_size, batch_size, dtype=torch.float32, is_same=True):
    """Return the samples with the old and the new weights, which are equal unless `is_same` is false."""
    old = draw_weights(rng, dtype)
    sizes = {"chunk_size": chunk_size, "batch_size": batch_size}
    new = {name: x.clone() for name, x in old.items()} if is_same else draw_weights(rng, dtype)
    return Case(name, {"old_weights": old, "weights": new, "samples": draw_samples(rng, lengths), **sizes})


def two_prompts():
    """Return the statement's example: without scores, attention averages the hidden states so far."""
    third = math.log(3)
    weights = {
        "embed": torch.zeros(2, 1),
        "position": torch.tensor([[third / 2], [-third / 6], [0.0], [0.0]]),
        "query": torch.zeros(1, 1),
        "key": torch.zeros(1, 1),
        "head": torch.tensor([[0.0, 1.0]]),
    }
    samples = [([1], [1]), ([1, 1], [1])]
    args = {"old_weights": weights, "weights": {name: x.clone() for name, x in weights.items()}, "samples": samples}
    # The logit of token 1 is 2 p0 = ln 3 for the first sample, and p1 + (p0 + p1) / 2 = 0 for the second one.
    logprobs = torch.tensor([math.log(3 / 4), math.log(1 / 2)], dtype=torch.float64)
    expected = (logprobs, logprobs.clone(), torch.ones(2, dtype=torch.float64))
    return Case("two_prompts", {**args, "chunk_size": 1, "batch_size": 2}, visible=True, expected=expected)


def equal_prompts(rng):
    """Return prompts of one length, and weights that changed, so only the answers are padded."""
    return case("equal_prompts", rng, [(4, 2), (4, 5), (4, 3), (4, 1)], 4, 2, is_same=False)


def one_at_a_time(rng):
    return case("one_at_a_time", rng, [(3, 2), (6, 4), (5, 1)], 1, 1)


def chunks_are_batches(rng):
    """Return one chunk that is also one batch, so the same padding is used twice."""
    return case("chunks_are_batches", rng, [(2, 3), (7, 2), (4, 5)], 3, 3)


def small_batches(rng):
    return case("small_batches", rng, [(2, 3), (5, 4), (8, 2), (3, 6), (1, 3)], 5, 2)


def large_batches(rng):
    return case("large_batches", rng, [(6, 3), (2, 2), (4, 4), (9, 1)], 1, 4)


def after_a_step(rng):
    return case("after_a_step", rng, [(3, 3), (7, 2), (5, 4), (1, 2)], 4, 2, is_same=False)


def padding_id_in_text(rng):
    """Return samples in which the padding id is the first token of every prompt and occurs in the answers."""
    drawn = case("padding_id_in_text", rng, [(3, 3), (6, 4), (4, 2)], 3, 1)
    samples = [([0, *prompt[1:]], [*answer[:1], 0, *answer[2:]]) for prompt, answer in drawn.args["samples"]]
    return Case("padding_id_in_text", {**drawn.args, "samples": samples})


def double_precision(rng):
    return case("double_precision", rng, [(4, 2), (2, 3), (6, 3)], 3, 2, dtype=torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_prompts()
    yield equal_prompts(rng)
    yield one_at_a_time(rng)
    yield chunks_are_batches(rng)
    yield small_batches(rng)
    yield large_batches(rng)
    yield after_a_step(rng)
    yield padding_id_in_text(rng)
    yield double_precision(rng)

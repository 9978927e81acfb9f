"""Microbatches whose numbers of tokens differ by a known factor, so that every wrong denominator is far off."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 5
WIDTH = 9


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def microbatch(rng, low, high, rows):
    """Return answers with `low` to `high` tokens each, after a prompt of one token."""
    position = torch.arange(WIDTH)
    lengths = torch.randint(low, high + 1, (rows, 1), generator=rng)
    return {
        "tokens": torch.randint(0, VOCABULARY, (rows, WIDTH), generator=rng),
        "mask": (position > 0) & (position <= lengths),
        # Of one sign, so that the losses are not close to 0.
        "advantages": 1 + torch.rand(rows, generator=rng),
    }


def case(name, rng, lengths, per_step, dtype=torch.float32):
    """Return a case with one microbatch for each range of lengths."""
    batches = [microbatch(rng, low, high, randint(rng, 2, 4)) for low, high in lengths]
    for batch in batches:
        batch["advantages"] = batch["advantages"].to(dtype)
    args = {
        "policy": torch.randn(VOCABULARY, VOCABULARY, generator=rng).to(dtype),
        "microbatches": batches,
        "per_step": per_step,
        "learning_rate": 0.5,
    }
    return Case(name=name, args=args)


def two_steps():
    """Return the statement's example: one token in the first step, and three in the second."""
    first = {
        "tokens": torch.tensor([[0, 1, 0, 0]]),
        "mask": torch.tensor([[False, True, False, False]]),
        "advantages": torch.tensor([1.0]),
    }
    second = {
        "tokens": torch.tensor([[1, 0, 1, 1]]),
        "mask": torch.tensor([[False, True, True, True]]),
        "advantages": torch.tensor([1.0]),
    }
    args = {"policy": torch.zeros(2, 2), "microbatches": [first, second], "per_step": 1, "learning_rate": math.log(3)}
    # Step 1: one token with probability 1/2; row 0 becomes (-ln 3 / 2, ln 3 / 2), where token 1 has probability 3/4.
    # Step 2: tokens 1 -> 0, 0 -> 1 and 1 -> 1. Row 1 has gradient 0 in sum; row 0 has (1/4, -1/4) / 3.
    half, third = math.log(3) / 2, math.log(3) / 12
    table = torch.tensor([[-half - third, half + third], [0.0, 0.0]], dtype=torch.float64)
    losses = (math.log(2), (2 * math.log(2) + math.log(4 / 3)) / 3)
    return Case("two_steps", args, visible=True, expected=(table, losses))


def one_step(rng):
    """Return a batch that is used in a single step, so that batch and step have the same tokens."""
    return case("one_step", rng, [(1, 2), (7, 8)], per_step=2)


def long_after_short(rng):
    """Return steps with short answers first and with long answers later."""
    return case("long_after_short", rng, [(1, 2), (2, 3), (7, 8), (5, 6)], per_step=2)


def mixed_lengths(rng):
    """Return steps that each have a microbatch with short answers and one with long answers."""
    return case("mixed_lengths", rng, [(1, 2), (6, 8), (7, 8), (1, 1), (2, 3), (8, 8)], per_step=2)


def short_last_step(rng):
    """Return seven microbatches for steps of three, so that the last step has one."""
    return case("short_last_step", rng, [(1, 2), (7, 8), (3, 4), (6, 8), (1, 2), (2, 3), (4, 5)], per_step=3)


def step_larger_than_batch(rng):
    return case("step_larger_than_batch", rng, [(1, 2), (7, 8), (3, 4)], per_step=5)


def empty_microbatch(rng):
    """Return a batch in which one microbatch has no token with a loss."""
    drawn = case("empty_microbatch", rng, [(6, 8), (1, 2), (7, 8), (6, 8)], per_step=2)
    batches = [dict(batch) for batch in drawn.args["microbatches"]]
    batches[1]["mask"] = torch.zeros_like(batches[1]["mask"])
    return Case("empty_microbatch", {**drawn.args, "microbatches": batches})


def double_precision(rng):
    return case("double_precision", rng, [(1, 2), (6, 8), (7, 8), (1, 2)], per_step=2, dtype=torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_steps()
    yield one_step(rng)
    yield long_after_short(rng)
    yield mixed_lengths(rng)
    yield short_last_step(rng)
    yield step_larger_than_batch(rng)
    yield empty_microbatch(rng)
    yield double_precision(rng)

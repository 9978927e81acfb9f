"""Ratios are drawn by region: on both sides of the clip, below 1 / dual_clip and above dual_clip."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

BANDS = ((0.1, 0.3), (0.5, 0.75), (0.85, 0.95), (1.05, 1.15), (1.3, 2.5), (3.5, 6.0))


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def batch(rng, signs, dual_clip=3.0):
    """Return a batch with two tokens of every region and sign in each row; `signs` are taken in turn along the row."""
    rows, steps = randint(rng, 3, 5), 4 * len(BANDS) + 3
    band = (torch.arange(steps) // 2 % len(BANDS)).expand(rows, steps)
    low, high = torch.tensor(BANDS).T
    ratio = rand(rng, rows, steps, low=low[band], high=high[band])
    old_logprobs = rand(rng, rows, steps, low=-2.5, high=-0.5)
    sign = torch.tensor(signs)[torch.arange(steps) % len(signs)]
    # Most positive advantages are larger, so that errors of both signs do not cancel in the mean.
    size = torch.where(sign > 0, rand(rng, rows, steps, low=0.7, high=2.4), rand(rng, rows, steps, low=0.4, high=0.8))
    lengths = torch.randint(2 * len(BANDS), steps, (rows, 1), generator=rng)
    return {
        "logprobs": old_logprobs + ratio.log(),
        "old_logprobs": old_logprobs,
        "advantages": sign * size,
        "mask": torch.arange(steps) < lengths,
        "clip": 0.2,
        "dual_clip": dual_clip,
    }


def poison(args):
    """Put numbers into the padding that make every operation fail, different ones for each argument."""
    numbers = {"logprobs": math.nan, "old_logprobs": -1e9, "advantages": math.inf}
    return {**args, **{name: args[name].masked_fill(~args["mask"], number) for name, number in numbers.items()}}


PADDING = Relation("padding_poisoned", "What stands at masked positions does not matter.", poison)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logprobs",), **more)


def four_tokens():
    """Return the statement's example: ratios 1.1 and 5, each with both signs of the advantage."""
    args = {
        "logprobs": torch.tensor([[1.1, 5.0, 1.1, 5.0]]).log() - 2,
        "old_logprobs": torch.full((1, 4), -2.0),
        "advantages": torch.tensor([[1.0, 1.0, -1.0, -1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
        "clip": 0.2,
        "dual_clip": 3.0,
    }
    return case("four_tokens", args, visible=True, expected=-(1.1 + 1.2 - 1.1 - 3.0) / 4)


def better_than_average(rng):
    return case("better_than_average", batch(rng, [1.0]))


def worse_than_average(rng):
    return case("worse_than_average", batch(rng, [-1.0]))


def both_signs(rng):
    return case("both_signs", batch(rng, [1.0, -1.0]), relations=(PADDING,))


def mostly_bad(rng):
    """Return rows with a negative mean advantage, and with good tokens among the bad ones."""
    return case("mostly_bad", batch(rng, [1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]))


def tight_bound(rng):
    return case("tight_bound", batch(rng, [1.0, -1.0], dual_clip=1.25))


def no_bound(rng):
    return case("no_bound", batch(rng, [1.0, -1.0], dual_clip=None))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, [1.0, -1.0])
    return Case("constants_require_grad", args, grads=("logprobs",), constants=("old_logprobs", "advantages"))


def double_precision(rng):
    args = batch(rng, [1.0, -1.0])
    return case(
        "double_precision",
        {name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()},
    )


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield four_tokens()
    yield better_than_average(rng)
    yield worse_than_average(rng)
    yield both_signs(rng)
    yield mostly_bad(rng)
    yield tight_bound(rng)
    yield no_bound(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)

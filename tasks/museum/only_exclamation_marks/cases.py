"""Differences of log-probabilities are drawn by region: moderate, capped, too large for float32, and for float64."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

MODERATE = ((-0.6, -0.1), (0.2, 0.9), (1.2, 2.3), (-5.0, -2.0))
# The estimate is 4 to 10 here, and its gradient is close to 1; at -11 it reaches 10.
LONG_TAIL = ((-10.8, -10.2), (-9.5, -6.0))
CAPPED = ((3.0, 6.0), (12.0, 18.0), (-18.0, -12.0), (25.0, 60.0), (-60.0, -25.0))
OVERFLOWS = ((95.0, 140.0), (200.0, 400.0))
OVERFLOWS_FLOAT64 = ((750.0, 900.0),)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def batch(rng, bands):
    """Return a batch in which each row contains every band of differences, in turn."""
    rows, steps = randint(rng, 3, 5), 2 * len(bands) + randint(rng, 0, 3)
    band = (torch.arange(steps) % len(bands)).expand(rows, steps)
    low, high = torch.tensor(bands).T
    difference = rand(rng, rows, steps, low=low[band], high=high[band])
    base = rand(rng, rows, steps, low=-1.5, high=-0.2)
    lengths = torch.randint(len(bands), steps + 1, (rows, 1), generator=rng)
    lengths[0] = len(bands)
    return {
        "logprobs": base - difference.clamp(min=0),
        "ref_logprobs": base + difference.clamp(max=0),
        "advantages": (1 - 2 * (torch.arange(rows) % 2))[:, None] * rand(rng, rows, steps, low=0.5, high=1.5),
        "mask": torch.arange(steps) < lengths,
        "kl_weight": 0.5,
    }


def poison(args):
    """Put numbers into the padding that make every operation fail, different ones for each argument."""
    numbers = {"logprobs": -math.inf, "ref_logprobs": 1e9, "advantages": math.nan}
    return {**args, **{name: args[name].masked_fill(~args["mask"], number) for name, number in numbers.items()}}


PADDING = Relation("padding_poisoned", "What stands at masked positions does not matter.", poison)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logprobs",), **more)


def two_tokens():
    """Return the statement's example."""
    args = {
        "logprobs": torch.tensor([[-1.0, -200.0]]),
        "ref_logprobs": torch.tensor([[-2.0, -1.0]]),
        "advantages": torch.tensor([[1.0, 1.0]]),
        "mask": torch.tensor([[True, True]]),
        "kl_weight": 0.5,
    }
    first = math.exp(-1)
    kl = (first + 10) / 2
    return case("two_tokens", args, visible=True, expected=(0.5 * kl + 201 / 2, kl))


def moderate(rng):
    return case("moderate", batch(rng, MODERATE), relations=(PADDING,))


def long_tail(rng):
    return case("long_tail", batch(rng, MODERATE + LONG_TAIL))


def capped(rng):
    return case("capped", batch(rng, MODERATE + CAPPED))


def overflowing(rng):
    return case("overflowing", batch(rng, MODERATE + OVERFLOWS), relations=(PADDING,))


def overflowing_in_float64(rng):
    return case("overflowing_in_float64", batch(rng, MODERATE + OVERFLOWS_FLOAT64))


def no_penalty(rng):
    return case("no_penalty", {**batch(rng, MODERATE[1:3] + OVERFLOWS), "kl_weight": 0.0})


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, MODERATE)
    return Case("constants_require_grad", args, grads=("logprobs",), constants=("ref_logprobs", "advantages"))


def double_precision(rng):
    args = batch(rng, MODERATE + LONG_TAIL + OVERFLOWS_FLOAT64)
    return case(
        "double_precision",
        {name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()},
    )


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_tokens()
    yield moderate(rng)
    yield long_tail(rng)
    yield capped(rng)
    yield overflowing(rng)
    yield overflowing_in_float64(rng)
    yield no_penalty(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)

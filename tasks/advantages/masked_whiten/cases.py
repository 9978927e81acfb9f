"""Rows differ in level and length, so that statistics per row, with padding and over the batch are all different."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng):
    """Return values around their row's number; row 0 is longest and has a gap, row 1 has one token, row 2 has none."""
    rows, steps = randint(rng, 4, 6), randint(rng, 8, 11)
    lengths = torch.randint(3, 6, (rows,), generator=rng)
    lengths[0], lengths[1], lengths[2] = steps - 1, 1, 0
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, 2] = False
    x = 1 + 1.5 * torch.arange(rows)[:, None] + torch.rand(rows, steps, generator=rng)
    return {"x": torch.where(mask, x, x + 3), "mask": mask, "eps": 0.05}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    spread = poison[torch.arange(args["x"].numel()).reshape(args["x"].shape) % 3]
    return {**args, "x": torch.where(args["mask"], args["x"], spread)}


def reverse(args):
    return {**args, "x": args["x"].flip(0), "mask": args["mask"].flip(0)}


def widen(args):
    """Return the batch with two more masked columns."""
    more = torch.ones(len(args["x"]), 2)
    return {**args, "x": torch.cat([args["x"], more], 1), "mask": torch.cat([args["mask"], more < 0], 1)}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
WIDER = Relation(
    name="padding_widened",
    says="More padding behind the rows only adds zeros.",
    change=widen,
    expect=lambda out: {"whitened": torch.nn.functional.pad(out["whitened"], (0, 2))},
)
REVERSED = Relation(
    name="rows_reversed",
    says="A value keeps its result, wherever its row stands.",
    change=reverse,
    expect=lambda out: {"whitened": out["whitened"].flip(0)},
)
SHIFTED = Relation(
    name="values_shifted",
    says="A constant added to all values changes nothing once the mean is taken away.",
    change=lambda args: {**args, "x": args["x"] + 0.5},
)
LIFTED = Relation(
    name="values_shifted",
    says="If the mean is kept, a constant added to all values comes out again at unmasked places.",
    change=lambda args: {**args, "x": args["x"] + 0.5},
    expect=lambda out: {"whitened": out["whitened"] + 0.5 * (out["whitened"] != 0)},
)


def literal(name, x, expected, mask=None, **more):
    x = torch.tensor(x)
    kept = torch.ones(x.shape, dtype=torch.bool) if mask is None else torch.tensor(mask, dtype=torch.bool)
    return Case(name=name, args={"x": x, "mask": kept, **more}, expected=expected, visible=True)


def by_hand():
    # Mean 0.75; the squared distances sum to 0.75, so the variance is 0.25, or 0.1875 with a divisor of 4.
    x, scale = [[1.0, 0.0, 1.0, 1.0]], 1 / math.sqrt(0.1875)
    yield literal("four_values", x, [[0.5, -1.5, 0.5, 0.5]])
    yield literal("population", x, [[0.25 * scale, -0.75 * scale, 0.25 * scale, 0.25 * scale]], unbiased=False)
    yield literal("mean_kept", x, [[1.25, -0.75, 1.25, 1.25]], shift_mean=False)
    # A variance of 0.25 and an eps of 0.75 give a divisor of 1.
    padded = [[1.0, 0.0, 9.0], [1.0, 1.0, 9.0]]
    mask = [[1, 1, 0], [1, 1, 0]]
    yield literal("large_eps", padded, [[0.25, -0.75, 0.0], [0.25, 0.25, 0.0]], mask, eps=0.75)
    # The variance is twice the square of either value, 2e-8, and eps is 1e-8.
    yield literal("tiny_values", [[1e-4, -1e-4]], [[1 / math.sqrt(3), -1 / math.sqrt(3)]])
    lone, mask = [[7.0, 2.5], [7.0, 7.0]], [[0, 1], [0, 0]]
    yield literal("one_value", lone, [[0.0, 0.0], [0.0, 0.0]], mask)
    yield literal("one_value_kept", lone, [[0.0, 2.5], [0.0, 0.0]], mask, shift_mean=False)
    yield literal("nothing", [[7.0, 2.5]], [[0.0, 0.0]], [[0, 0]], shift_mean=False)


def ragged(rng):
    return Case(name="ragged", args=batch(rng), relations=(PADDING, WIDER, REVERSED, SHIFTED))


def transposed(rng):
    """Return a case that keeps the mean, with tensors that are views of transposed storage."""
    args = {name: x.T.contiguous().T if isinstance(x, torch.Tensor) else x for name, x in batch(rng).items()}
    relations = (PADDING, REVERSED, LIFTED)
    return Case(name="transposed", args={**args, "shift_mean": False, "unbiased": False}, relations=relations)


def equal_values(rng):
    """Return equal unmasked values, whose computed float32 mean differs from them, and different padding."""
    number, rows = [(1000.1, 6), (333.7, 2), (2000.9, 2)][randint(rng, 0, 2)]
    mask = torch.arange(11).expand(rows, 11) < 11 - torch.arange(rows)[:, None]
    x = torch.where(mask, number, -3.0)
    return Case(name="equal_values", args={"x": x, "mask": mask}, expected=torch.zeros(x.shape, dtype=torch.float64))


def equal_values_kept():
    """Return the same number at all unmasked positions, in a case that adds the mean back."""
    x = [[3.5, 3.5, -1.0], [3.5, 3.5, 3.5]]
    mask = [[1, 1, 0], [1, 1, 1]]
    return literal("equal_values_kept", x, [[3.5, 3.5, 0.0], [3.5, 3.5, 3.5]], mask, shift_mean=False)


def nearly_equal():
    """Return one value that differs from the others by 2**-28, which is not negligible next to an eps of 2**-60."""
    small = 2.0**-30
    # Mean 1 and variance 4, in units of 2**-30; eps is 1 in the square of that unit.
    wide, narrow = 3 / math.sqrt(5), -1 / math.sqrt(5)
    x = [[0.0, 4 * small], [0.0, 0.0]]
    return literal("nearly_equal", x, [[narrow, wide], [narrow, narrow]], eps=small**2)


def large_level():
    """Return values whose mean is large compared with their spread; the mean is exact in float32."""
    a = 3 / math.sqrt(12.25)
    x = [[10001.5, 10007.5], [10001.5, 10007.5]]
    return literal("large_level", x, [[-a, a], [-a, a]], eps=0.25)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield ragged(rng)
    yield transposed(rng)
    yield equal_values(rng)
    yield equal_values_kept()
    yield nearly_equal()
    yield large_level()

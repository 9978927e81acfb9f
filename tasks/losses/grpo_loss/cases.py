"""Ratios are drawn by region, well away from the clip bounds, so that no case depends on the last bit of a float."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask: rows of 8 or more tokens contain every region, one row has two tokens, and row 0 has a gap."""
    lengths = torch.randint(8, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 2
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def ratios_in_regions(rng, rows, steps, bands):
    """Return ratios [rows, steps] that are drawn from the bands in turn along each row."""
    band = (torch.arange(steps) % len(bands)).expand(rows, steps)
    low, high = torch.tensor(bands).T
    return rand(rng, rows, steps, low=low[band], high=high[band])


def row_advantages(rng, rows):
    """Return one advantage per row, of both signs, the positive ones larger, so that errors do not cancel in a mean."""
    is_positive = torch.arange(rows) % 2 == 0
    return torch.where(is_positive, rand(rng, rows, low=1.6, high=2.4), rand(rng, rows, low=-0.9, high=-0.6))


def batch(rng, rows, steps, eps, beta):
    old_logp = rand(rng, rows, steps, low=-2.5, high=-1.0)
    logp = old_logp + ratios_in_regions(rng, rows, steps, REGIONS).log()
    # The reference is farthest where the ratio is small, and in the longest row, so that wrong weights do not cancel.
    gap = rand(rng, rows, steps, low=0.3, high=0.8) + 0.6 * (torch.arange(steps) % 4 == 0)
    gap[0] *= 1.3
    gap *= torch.where(torch.arange(steps) % 3 == 0, -1.0, 1.0)
    return {
        "logp": logp,
        "old_logp": old_logp,
        "ref_logp": logp + gap,
        "adv": row_advantages(rng, rows),
        "mask": ragged_mask(rng, rows, steps),
        "eps": eps,
        "beta": beta,
    }


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "old_logp", "ref_logp")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    args["adv"] = torch.where(args["mask"].any(dim=1), args["adv"], math.nan)
    return args


def widen(args):
    """Add two masked columns, as if the batch were padded for a longer row."""
    for name, fill in (("logp", 0.5), ("old_logp", 0.25), ("ref_logp", -0.5), ("mask", False)):
        if args[name] is not None:
            args[name] = torch.nn.functional.pad(args[name], (0, 2), value=fill)
    return args


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
WIDER = Relation(
    name="padded_wider",
    says="Two more columns of padding change nothing.",
    change=widen,
    expect=lambda out: {"loss": out["loss"]},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {**out, "grad.logp": out["grad.logp"].flip(0)},
)
REGIONS = [(0.3, 0.5), (0.85, 0.97), (1.03, 1.15), (1.4, 1.7)]


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "old_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "ref_logp": torch.tensor([[-1.1, -1.5, -0.6, -2.0], [-0.9, -1.0, -1.5, -0.3]]),
        "adv": torch.tensor([1.0, -1.0]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
        "eps": 0.2,
        "beta": 0.04,
    }
    # Row 0: min(e^0.2, 1.2), e^-0.1, e^0.05, min(e^0.3, 1.2), as gains. Row 1: 1, e^-0.2, max(e^-1, 0.8), as losses.
    clipped = ((-1.2 - math.exp(-0.1) - math.exp(0.05) - 1.2) / 4 + (1 + math.exp(-0.2) + 0.8) / 3) / 2
    rows = ((-0.1, 0.5, -0.1, 1.0), (-0.2, 0.2, 1.0))  # reference minus current
    penalty = sum(sum(math.exp(x) - x - 1 for x in row) / len(row) for row in rows) / 2
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=clipped + 0.04 * penalty)


def all_equal():
    """Return the example of the statement: at the first step, only the advantages remain."""
    logp = torch.linspace(-2.0, -0.5, 12).reshape(3, 4)
    args = {
        "logp": logp,
        "old_logp": logp.clone(),
        "ref_logp": logp.clone(),
        "adv": torch.tensor([1.0, -0.5, 2.0]),
        "mask": torch.arange(4) < torch.tensor([[1], [2], [4]]),
        "eps": 0.2,
        "beta": 0.04,
    }
    return case("all_equal", args, visible=True, expected=-2.5 / 3)


def one_token():
    """Return one token that is e times as likely under the reference: minus 1 plus 0.1 (e - 1 - 1)."""
    args = {
        "logp": torch.tensor([[-1.5]]),
        "old_logp": torch.tensor([[-1.5]]),
        "ref_logp": torch.tensor([[-0.5]]),
        "adv": torch.tensor([1.0]),
        "mask": torch.tensor([[True]]),
        "eps": 0.2,
        "beta": 0.1,
    }
    return case("one_token", args, visible=True, expected=-1 + 0.1 * (math.e - 2))


def no_reference(rng):
    args = {**batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.2, 0.0), "ref_logp": None}
    return case("no_reference", args, relations=(WIDER,))


def four_corners(rng):
    """Return a case whose matrices are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.2, 0.3)
    args = {name: x.T.contiguous().T if getattr(x, "ndim", 0) == 2 else x for name, x in args.items()}
    return case("four_corners", args, relations=(PADDING, WIDER, REVERSED))


def strong_penalty(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.1, 0.7)
    return case("strong_penalty", args, relations=(REVERSED,))


def square(rng):
    """Return as many rows as tokens, so that advantages per row can be broadcast along columns without an error."""
    steps = randint(rng, 10, 12)
    args = batch(rng, steps, steps, 0.2, 0.3)
    return case("square", args)


def empty_rows(rng):
    args = batch(rng, randint(rng, 4, 6), randint(rng, 12, 16), 0.2, 0.3)
    args["mask"][2] = False
    args["mask"][1] = torch.arange(args["mask"].shape[1]) == 1
    return case("empty_rows", args, relations=(PADDING,))


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 9, 12), 0.2, 0.3)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING,), expected=0.0)


def far_from_reference():
    """Return one token that is e^4 times as likely under the reference; with advantage 0, only the penalty is left."""
    args = {
        "logp": torch.tensor([[-5.0]]),
        "old_logp": torch.tensor([[-5.0]]),
        "ref_logp": torch.tensor([[-1.0]]),
        "adv": torch.tensor([0.0]),
        "mask": torch.tensor([[True]]),
        "eps": 0.2,
        "beta": 0.1,
    }
    return case("far_from_reference", args, visible=True, expected=0.1 * (math.exp(4) - 4 - 1))


def large_ratios():
    """Return log-ratios of 8, with a negative advantage, and of -8, with a positive one: clipping has no effect."""
    args = {
        "logp": torch.tensor([[-1.0], [-9.0]]),
        "old_logp": torch.tensor([[-9.0], [-1.0]]),
        "ref_logp": torch.tensor([[-1.0], [-9.0]]),
        "adv": torch.tensor([-1.0, 1.0]),
        "mask": torch.ones(2, 1, dtype=torch.bool),
        "eps": 0.2,
        "beta": 0.1,
    }
    return case("large_ratios", args, visible=True, expected=(math.exp(8) - math.exp(-8)) / 2)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.2, 0.3)
    return Case("constants_require_grad", args, grads=("logp",), constants=("old_logp", "ref_logp", "adv"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 12, 0.2, 0.3)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def farther_from_reference():
    """Return two tokens that are e^9 times more and less likely under the reference, with an advantage of 0."""
    args = {
        "logp": torch.tensor([[-10.0, -1.0]]),
        "old_logp": torch.tensor([[-10.0, -1.0]]),
        "ref_logp": torch.tensor([[-1.0, -10.0]]),
        "adv": torch.tensor([0.0]),
        "mask": torch.ones(1, 2, dtype=torch.bool),
        "eps": 0.2,
        "beta": 0.1,
    }
    penalty = math.exp(9) - 1 - 9 + math.exp(-9) - 1 + 9
    return case("farther_from_reference", args, expected=0.1 * penalty / 2)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_rows()
    yield all_equal()
    yield one_token()
    yield no_reference(rng)
    yield four_corners(rng)
    yield strong_penalty(rng)
    yield square(rng)
    yield empty_rows(rng)
    yield no_tokens(rng)
    yield far_from_reference()
    yield large_ratios()
    yield constants_require_grad(rng)
    yield double_precision(rng)
    yield farther_from_reference()

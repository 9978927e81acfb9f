"""Ratios are drawn by region, well away from the bounds, so that no case depends on the last bit of a float."""

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


def token_advantages(rng, rows, steps):
    """Return advantages of both signs, the positive ones larger, so that errors do not cancel in a mean."""
    is_positive = (torch.arange(steps) // 4 + torch.arange(rows)[:, None]) % 2 == 0
    return torch.where(
        is_positive, rand(rng, rows, steps, low=1.6, high=2.4), rand(rng, rows, steps, low=-0.9, high=-0.6)
    )


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "old_logp", "adv")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
DOUBLED = Relation(
    name="advantages_doubled",
    says="Twice the advantages give twice the loss and gradient.",
    change=lambda args: {**args, "adv": 2 * args["adv"]},
    expect=lambda out: {"loss": 2 * out["loss"], "grad.logp": 2 * out["grad.logp"]},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {**out, "grad.logp": out["grad.logp"].flip(0)},
)
RAISED = Relation(
    name="cap_out_of_reach",
    says="A cap that no ratio reaches is as good as any other.",
    change=lambda args: {**args, "eps_high": 2 * args["eps_high"]},
)
REGIONS = [(0.3, 0.5), (0.85, 0.97), (1.03, 1.15), (1.4, 1.7)]


def batch(rng, rows, steps, bands):
    old_logp = rand(rng, rows, steps, low=-2.5, high=-1.0)
    return {
        "logp": old_logp + ratios_in_regions(rng, rows, steps, bands).log(),
        "old_logp": old_logp,
        "adv": token_advantages(rng, rows, steps),
        "mask": ragged_mask(rng, rows, steps),
    }


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def three_tokens():
    """Return the example of the statement: weights 0.5, 1 and 1.2."""
    args = {
        "logp": torch.full((1, 3), -1.0),
        "old_logp": -1 - torch.tensor([[0.5, 1.0, 1.5]]).log(),
        "adv": torch.tensor([[1.0, 1.0, -1.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
    }
    return case("three_tokens", args, visible=True, expected=(0.5 + 1 - 1.2) / 3)


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "old_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "adv": torch.tensor([[1.0] * 4, [-1.0] * 4]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
    }
    # Row 0: weights 1.2, e^-0.1, e^0.05, 1.2 times minus logp. Row 1: 1, e^-0.2, e^-1 times logp.
    first = 1.2 * 1 + math.exp(-0.1) * 2 + math.exp(0.05) * 0.5 + 1.2 * 3
    second = -0.7 - math.exp(-0.2) * 1.2 - math.exp(-1) * 2.5
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=(first + second) / 7)


def both_bounds():
    """Return the same rows with weights clipped to [0.8, 1.2]; only the last one changes, from e^-1 to 0.8."""
    args = {**two_rows().args, "eps_low": 0.2}
    first = 1.2 * 1 + math.exp(-0.1) * 2 + math.exp(0.05) * 0.5 + 1.2 * 3
    second = -0.7 - math.exp(-0.2) * 1.2 - 0.8 * 2.5
    return case("both_bounds", args, visible=True, expected=(first + second) / 7)


def one_token():
    """Return a single unmasked token next to a masked one: its ratio e is capped at 1.2."""
    args = {
        "logp": torch.tensor([[-1.0, -3.0]]),
        "old_logp": torch.tensor([[-2.0, -1.0]]),
        "adv": torch.tensor([[2.0, 1.0]]),
        "mask": torch.tensor([[True, False]]),
    }
    return case("one_token", args, expected=1.2 * 2)


def four_corners(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), REGIONS)
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return case("four_corners", args, relations=(PADDING, DOUBLED, REVERSED))


def uneven_bounds(rng):
    bands = [(0.3, 0.5), (0.75, 0.87), (1.13, 1.25), (1.4, 1.7)]
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), bands)
    return case("uneven_bounds", {**args, "eps_low": 0.1, "eps_high": 0.3}, relations=(PADDING,))


def wide_cap(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), [(0.3, 0.5), (0.9, 1.1), (2.0, 3.0), (4.0, 4.8)])
    return case("wide_cap", {**args, "eps_high": 4.0}, relations=(RAISED,))


def wide_floor(rng):
    """Return a floor of 0.4, with some weights below it."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), [(0.1, 0.3), (0.45, 0.6), (0.9, 1.1), (1.4, 1.7)])
    return case("wide_floor", {**args, "eps_low": 0.6})


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 9, 12), REGIONS)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING,), expected=0.0)


def large_ratios():
    """Return log-ratios of 9, -9 and 6 with a cap that none of them reaches."""
    args = {
        "logp": torch.tensor([[-1.0, -10.0, -2.0]]),
        "old_logp": torch.tensor([[-10.0, -1.0, -8.0]]),
        "adv": torch.tensor([[1.0, -1.0, -2.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
        "eps_high": 1e4,
    }
    total = math.exp(9) * 1 - math.exp(-9) * 10 - math.exp(6) * 4
    return case("large_ratios", args, visible=True, expected=total / 3)


def floor_at_one():
    """Return the same rows with an `eps_low` of 0: no weight is below 1."""
    args = {**two_rows().args, "eps_low": 0.0}
    first = 1.2 * 1 + 1 * 2 + math.exp(0.05) * 0.5 + 1.2 * 3
    return case("floor_at_one", args, visible=True, expected=(first - 0.7 - 1.2 - 2.5) / 7)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), REGIONS)
    return Case("constants_require_grad", args, grads=("logp",), constants=("old_logp", "adv"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 12, REGIONS)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_tokens()
    yield two_rows()
    yield both_bounds()
    yield one_token()
    yield four_corners(rng)
    yield uneven_bounds(rng)
    yield wide_cap(rng)
    yield wide_floor(rng)
    yield no_tokens(rng)
    yield large_ratios()
    yield floor_at_one()
    yield constants_require_grad(rng)
    yield double_precision(rng)

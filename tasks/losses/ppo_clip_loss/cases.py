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


def signed(rng, rows, steps):
    """Return advantages of both signs, the positive ones larger, so that errors from a wrong bound do not cancel."""
    is_positive = (torch.arange(steps) // 4 + torch.arange(rows)[:, None]) % 2 == 0
    return torch.where(
        is_positive, rand(rng, rows, steps, low=1.6, high=2.4), rand(rng, rows, steps, low=-0.6, high=-0.4)
    )


def batch(rng, rows, steps, bands):
    old_logp = rand(rng, rows, steps, low=-2.5, high=-0.5)
    logp = old_logp + ratios_in_regions(rng, rows, steps, bands).log()
    return {"logp": logp, "old_logp": old_logp, "adv": signed(rng, rows, steps), "mask": ragged_mask(rng, rows, steps)}


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
    says="Twice the advantages give twice the loss and gradient and the same two metrics.",
    change=lambda args: {**args, "adv": 2 * args["adv"]},
    expect=lambda out: {**out, "loss": 2 * out["loss"], "grad.logp": 2 * out["grad.logp"]},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {**out, "grad.logp": out["grad.logp"].flip(0)},
)
OTHER_REDUCTION = Relation(
    name="other_reduction",
    says="With no token at all both reductions give the same.",
    change=lambda args: {**args, "reduction": "seq"},
)
BANDS = [(0.3, 0.5), (0.85, 0.97), (1.03, 1.15), (1.4, 1.7)]


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def six_samples():
    ratios = torch.tensor([[0.5], [1.0], [1.5], [0.5], [1.0], [1.5]])
    args = {
        "logp": ratios.log(),
        "old_logp": torch.zeros(6, 1),
        "adv": torch.tensor([[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0]]),
        "mask": torch.ones(6, 1, dtype=torch.bool),
    }
    # Losses -0.5, -1, -1.2, 0.8, 1, 1.5; the third and the fourth are clipped.
    kl = ((0.5 - 1 - math.log(0.5)) + (1.5 - 1 - math.log(1.5))) / 3
    return case("six_samples", args, visible=True, expected=(0.6 / 6, 2 / 6, kl))


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "old_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "adv": torch.tensor([[1.0] * 4, [-1.0] * 4]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
    }
    # Row 0: min(e^0.2, 1.2), e^-0.1, e^0.05, min(e^0.3, 1.2), as gains. Row 1: 1, e^-0.2, max(e^-1, 0.8), as losses.
    loss = (-1.2 - math.exp(-0.1) - math.exp(0.05) - 1.2 + 1 + math.exp(-0.2) + 0.8) / 7
    log_ratios = (0.2, -0.1, 0.05, 0.3, 0.0, -0.2, -1.0)
    kl = sum(math.exp(x) - 1 - x for x in log_ratios) / 7
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=(loss, 3 / 7, kl))


def one_token():
    args = {
        "logp": torch.tensor([[math.log(5.0)]]),
        "old_logp": torch.zeros(1, 1),
        "adv": torch.tensor([[-1.0]]),
        "mask": torch.tensor([[True]]),
        "dual_c": 3.0,
        "reduction": "seq",
    }
    # 5 without the dual clip; its cap of 3 is a constant, so no gradient.
    return case("one_token", args, expected=(3.0, 0.0, 4 - math.log(5.0)))


def four_corners(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), BANDS)
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return case("four_corners", args, relations=(PADDING, DOUBLED, REVERSED))


def uneven_bounds(rng):
    bands = [(0.3, 0.5), (0.75, 0.87), (1.13, 1.25), (1.4, 1.7)]
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), bands)
    return case("uneven_bounds", {**args, "eps_low": 0.1, "eps_high": 0.3}, relations=(DOUBLED,))


def dual_clip(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), [BANDS[0], BANDS[1], (1.4, 1.7), (4.0, 6.0)])
    args["adv"] *= 0.4  # positive advantages below 1 as well: the sign decides, not the size
    return case("dual_clip", {**args, "dual_c": 3.0}, relations=(PADDING, DOUBLED))


def row_means(rng):
    args = batch(rng, randint(rng, 4, 6), randint(rng, 12, 16), BANDS)
    args["mask"][2] = False
    args["mask"][1] = torch.arange(args["mask"].shape[1]) == 1
    return case("row_means", {**args, "reduction": "seq"}, relations=(PADDING, REVERSED))


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 9, 12), BANDS)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(OTHER_REDUCTION,), expected=(0.0, 0.0, 0.0))


def large_ratios():
    """Return log-ratios of 8 and -8, each with both signs of the advantage."""
    args = {
        "logp": torch.tensor([[-1.0, -9.0, -1.0, -9.0]]),
        "old_logp": torch.tensor([[-9.0, -1.0, -9.0, -1.0]]),
        "adv": torch.tensor([[1.0, 1.0, -1.0, -1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
    }
    loss = (-1.2 - math.exp(-8) + math.exp(8) + 0.8) / 4
    kl = (math.exp(8) - 1 - 8 + math.exp(-8) - 1 + 8) / 2
    return case("large_ratios", args, visible=True, expected=(loss, 2 / 4, kl))


def no_room_below():
    """Return ratios 0.5, 0.9, 0.9 and 1.5 with an `eps_low` of 0: the lower bound is 1."""
    ratios = torch.tensor([[0.5, 0.9, 0.9, 1.5]])
    args = {
        "logp": ratios.log(),
        "old_logp": torch.zeros(1, 4),
        "adv": torch.tensor([[-1.0, -1.0, 1.0, 1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
        "eps_low": 0.0,
    }
    # Losses 1 and 1, both clipped, -0.9, and -1.2, clipped as well.
    kl = sum(x - 1 - math.log(x) for x in (0.5, 0.9, 0.9, 1.5)) / 4
    return case("no_room_below", args, visible=True, expected=(-0.1 / 4, 3 / 4, kl))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), BANDS)
    return Case("constants_require_grad", args, grads=("logp",), constants=("old_logp", "adv"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 12, BANDS)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield six_samples()
    yield two_rows()
    yield one_token()
    yield four_corners(rng)
    yield uneven_bounds(rng)
    yield dual_clip(rng)
    yield row_means(rng)
    yield no_tokens(rng)
    yield large_ratios()
    yield no_room_below()
    yield constants_require_grad(rng)
    yield double_precision(rng)

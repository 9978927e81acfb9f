"""Ratios and weights are drawn by region, well away from the clip bounds and the cap."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

CONSTANTS = ("prox_logp", "behav_logp", "adv")


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask: rows of 12 or more tokens contain every region, one row has two tokens, and row 0 has a gap."""
    lengths = torch.randint(12, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 2
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def in_regions(rng, rows, steps, bands, run=1):
    """Return numbers [rows, steps] that are drawn from the bands in turn along each row, `run` positions per band."""
    band = (torch.arange(steps) // run % len(bands)).expand(rows, steps)
    low, high = torch.tensor(bands).T
    return rand(rng, rows, steps, low=low[band], high=high[band])


def signed(rng, rows, steps):
    """Return advantages of both signs, the positive ones larger, so that errors from a wrong bound do not cancel."""
    is_positive = (torch.arange(steps) // 4 + torch.arange(rows)[:, None]) % 2 == 0
    return torch.where(
        is_positive, rand(rng, rows, steps, low=1.6, high=2.4), rand(rng, rows, steps, low=-0.6, high=-0.4)
    )


RATIOS = [(0.3, 0.5), (0.85, 0.97), (1.03, 1.15), (1.4, 1.7)]
WEIGHTS = [(0.3, 0.45), (1.3, 1.6), (2.6, 3.5)]


def batch(rng, rows, steps, ratios=RATIOS):
    """Return ratios and weights ordered so that every ratio region is combined with every weight region."""
    prox_logp = rand(rng, rows, steps, low=-2.5, high=-1.5)
    return {
        "logp": prox_logp + in_regions(rng, rows, steps, ratios).log(),
        "prox_logp": prox_logp,
        "behav_logp": prox_logp - in_regions(rng, rows, steps, WEIGHTS).log(),
        "adv": signed(rng, rows, steps),
        "mask": ragged_mask(rng, rows, steps),
    }


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "prox_logp", "behav_logp", "adv")):
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
WEIGHTS_DOUBLED = Relation(
    name="weights_doubled",
    says="A behavior policy with half the probability of every token gives twice the loss and gradient.",
    change=lambda args: {**args, "behav_logp": args["behav_logp"] - math.log(2)},
    expect=lambda out: {"loss": 2 * out["loss"], "grad.logp": 2 * out["grad.logp"]},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def four_tokens():
    """Return the statement's table."""
    return {
        "logp": torch.tensor([[0.6, 0.33, 0.5, 0.2]]).log(),
        "prox_logp": torch.tensor([[0.4, 0.3, 0.4, 0.4]]).log(),
        "behav_logp": torch.tensor([[0.5, 0.2, 0.1, 0.4]]).log(),
        "adv": torch.tensor([[1.0, 1.0, -1.0, -1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
    }


def uncapped():
    # Weights 0.8, 1.5, 4 and 1; ratios 1.5 (clipped to 1.2), 1.1, 1.25 and 0.5 (clipped to 0.8).
    return case("uncapped", four_tokens(), visible=True, expected=(-0.8 * 1.2 - 1.5 * 1.1 + 4 * 1.25 + 0.8) / 4)


def capped():
    args = {**four_tokens(), "w_cap": 2.0}
    return case("capped", args, visible=True, expected=(-0.8 * 1.2 - 1.5 * 1.1 + 0.8) / 4)


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "prox_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "behav_logp": torch.tensor([[-1.3, -1.9, -0.5, -2.2], [-0.7, -1.1, -1.5, -0.1]]),
        "adv": torch.tensor([[1.0] * 4, [-1.0] * 4]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
    }
    # Row 0: weights e^0.1, 1, e^-0.05, e^-1.1. Row 1: 1, e^0.1, 1; its last ratio e^-1 is clipped to 0.8.
    first = -math.exp(0.1) * 1.2 - math.exp(-0.1) - math.exp(-0.05) * math.exp(0.05) - math.exp(-1.1) * 1.2
    second = 1 + math.exp(0.1) * math.exp(-0.2) + 0.8
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=(first + second) / 7)


def one_token():
    """Return one unmasked token next to a masked one."""
    args = {
        "logp": torch.tensor([[math.log(0.3), -1.0]]),
        "prox_logp": torch.tensor([[math.log(0.5), -2.0]]),
        "behav_logp": torch.tensor([[math.log(0.25), -4.0]]),
        "adv": torch.tensor([[3.0, 1.0]]),
        "mask": torch.tensor([[True, False]]),
    }
    # The weight is 2 and the ratio 0.6; for a positive advantage, the lower bound has no effect.
    return case("one_token", args, relations=(PADDING,), expected=-2 * 0.6 * 3)


def weight_at_cap():
    """Return weights of exactly 1 with a cap of 1, and one weight above it."""
    args = {
        "logp": torch.tensor([[-1.0, -1.5, -0.5]]),
        "prox_logp": torch.tensor([[-1.1, -1.6, -0.6]]),
        "behav_logp": torch.tensor([[-1.1, -1.6, -0.8]]),
        "adv": torch.tensor([[1.0, -2.0, 1.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
        "w_cap": 1.0,
    }
    rule = (
        "If `w_cap` is given, tokens whose importance weight is strictly greater than `w_cap` contribute 0 to the mean,"
        " but are still counted in its denominator."
    )
    expected = (-math.exp(0.1) + 2 * math.exp(0.1)) / 3
    return case("weight_at_cap", args, visible=True, expected=expected, settled_by=rule)


def four_corners(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17))
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return case("four_corners", args, relations=(PADDING, DOUBLED, REVERSED, WEIGHTS_DOUBLED))


def narrow_clip(rng):
    ratios = [(0.5, 0.7), (0.84, 0.87), (1.13, 1.16), (1.4, 1.7)]
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17), ratios)
    return case("narrow_clip", {**args, "eps": 0.1}, relations=(WEIGHTS_DOUBLED,))


def dropped_tokens(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17))
    # Few tokens are left, so the two signs differ more in magnitude than in the other cases.
    args["adv"] = torch.where(args["adv"] < 0, args["adv"] / 4, args["adv"])
    return case("dropped_tokens", {**args, "w_cap": 2.0}, relations=(PADDING, DOUBLED, REVERSED))


def no_room():
    """Return ratios 0.5, 0.9, 0.9 and 1.5 with an `eps` of 0: every ratio is clipped to 1."""
    args = {
        "logp": torch.tensor([[0.5, 0.9, 0.9, 1.5]]).log() - 1,
        "prox_logp": torch.full((1, 4), -1.0),
        "behav_logp": torch.full((1, 4), -1.0) - torch.tensor([[2.0, 0.5, 1.0, 1.5]]).log(),
        "adv": torch.tensor([[-1.0, -1.0, 1.0, 1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
        "eps": 0.0,
    }
    return case("no_room", args, visible=True, expected=(2 + 0.5 - 0.9 - 1.5) / 4)


def all_dropped(rng):
    args = batch(rng, 3, randint(rng, 14, 17))
    return case("all_dropped", {**args, "w_cap": 0.01}, relations=(PADDING,), expected=0.0)


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 14, 17))
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING,), expected=0.0)


def large_ratios():
    """Return log-ratios up to 8 and down to -8, and log-weights up to 7 and down to -8."""
    args = {
        "logp": torch.tensor([[-1.0, -9.0, -2.0, -1.5]]),
        "prox_logp": torch.tensor([[-9.0, -1.0, -2.125, -9.0]]),
        "behav_logp": torch.tensor([[-2.0, -1.0, -9.125, -1.0]]),
        "adv": torch.tensor([[-1.0, 1.0, 1.0, -1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
    }
    total = math.exp(-7) * math.exp(8) - math.exp(-8) - math.exp(7) * math.exp(0.125) + math.exp(-8) * math.exp(7.5)
    return case("large_ratios", args, visible=True, expected=total / 4)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17))
    return Case("constants_require_grad", args, grads=("logp",), constants=CONSTANTS)


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 14)
    args = {name: x.double() if x.is_floating_point() else x for name, x in args.items()}
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield uncapped()
    yield capped()
    yield two_rows()
    yield one_token()
    yield weight_at_cap()
    yield four_corners(rng)
    yield narrow_clip(rng)
    yield dropped_tokens(rng)
    yield no_room()
    yield all_dropped(rng)
    yield no_tokens(rng)
    yield large_ratios()
    yield constants_require_grad(rng)
    yield double_precision(rng)

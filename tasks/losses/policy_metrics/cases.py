"""Random tokens are drawn from four ratio regions and both signs of the advantage, away from the clip bounds."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask whose row 0 is full except for a gap, row 1 has two tokens, and row 2 has none."""
    lengths = torch.randint(8, steps, (rows,), generator=rng)
    lengths[0], lengths[1], lengths[2] = steps, 2, 0
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def ratios_in_regions(rng, rows, steps, bands):
    """Return ratios [rows, steps] that are drawn from the bands in turn along each row."""
    band = (torch.arange(steps) % len(bands)).expand(rows, steps)
    low, high = torch.tensor(bands).T
    return rand(rng, rows, steps, low=low[band], high=high[band])


def batch(rng, rows, steps, bands=((0.15, 0.2), (0.85, 0.95), (1.1, 1.15), (3.0, 4.0))):
    """Return a batch whose critic has an offset and explains only a part of the returns."""
    old_logp = rand(rng, rows, steps, low=-2.5, high=-0.5)
    returns = rand(rng, rows, steps, low=-2.0, high=3.0) + 0.3 * torch.arange(rows)[:, None]
    # More of the ratios outside the clip interval are clipped than not.
    sign = torch.where(torch.isin(torch.arange(steps) % 12, torch.tensor([0, 4, 7, 10])), -1.0, 1.0)
    values = returns - sign * rand(rng, rows, steps, low=0.2, high=1.2)
    logp = old_logp + ratios_in_regions(rng, rows, steps, bands).log()
    mask = ragged_mask(rng, rows, steps)
    return {"logp": logp, "old_logp": old_logp, "values": values, "returns": returns, "mask": mask}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "old_logp", "values", "returns")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
)
LOG_PROBS_SHIFTED = Relation(
    name="log_probs_shifted",
    says="The same constant added to both log-probabilities changes nothing.",
    change=lambda args: {**args, "logp": args["logp"] - 0.5, "old_logp": args["old_logp"] - 0.5},
)


def literal(name, ratios, values, returns, expected, mask=None, **more):
    ratios = torch.tensor(ratios)
    kept = torch.ones(ratios.shape, dtype=torch.bool) if mask is None else torch.tensor(mask, dtype=torch.bool)
    tensors = {"values": torch.tensor(values), "returns": torch.tensor(returns), "mask": kept}
    args = {"logp": ratios.log() - 1, "old_logp": torch.full(ratios.shape, -1.0), **tensors, **more}
    return Case(name=name, args=args, relations=(PADDING,), expected=expected, visible=True)


def metrics(approx_kl, ratio_mean, ratio_max, clipfrac, explained_variance):
    return {
        "approx_kl": approx_kl,
        "ratio_mean": ratio_mean,
        "ratio_max": ratio_max,
        "clipfrac": clipfrac,
        "explained_variance": explained_variance,
    }


def k3(*ratios):
    """Return the mean of ratio - 1 - log(ratio), for the results computed by hand."""
    return sum(ratio - 1 - math.log(ratio) for ratio in ratios) / len(ratios)


def by_hand():
    # The advantages are 0.5, -0.4, -0.3 and 0.2, with a mean of 0 and a mean square of 0.135; the returns' is 0.25.
    values, returns = [[0.5, 0.4, 0.3, 0.8]], [[1.0, 0.0, 0.0, 1.0]]
    wanted = metrics(k3(1.5, 0.5), 1.0, 1.5, 0.5, 0.46)
    yield literal("four_regions", [[1.5, 0.5, 1.5, 0.5]], values, returns, wanted)
    # The errors 0.5, -0.4 and 1.7 have a variance of 0.74, and the returns one of 2/3.
    values, returns = [[0.5, 0.4, 0.3]], [[1.0, 0.0, 2.0]]
    wanted = metrics(k3(1.25, 0.5, 3.0), 4.75 / 3, 3.0, 1.0, 1 - 0.74 / (2 / 3))
    yield literal("worse_than_a_constant", [[1.25, 0.5, 3.0]], values, returns, wanted)
    # All ratios are below 1; a perfect critic with an offset explains everything.
    mask = [[1, 1, 1, 0], [1, 0, 0, 0]]
    values, returns = [[1.5, 0.5, 2.5, 9.0], [0.5, 9.0, 9.0, 9.0]], [[1.0, 0.0, 2.0, 7.0], [0.0, 7.0, 7.0, 7.0]]
    ratios = [[0.9, 0.5, 0.25, 5.0], [0.6, 5.0, 5.0, 5.0]]
    wanted = metrics(k3(0.9, 0.5, 0.25, 0.6), 0.5625, 0.9, 0.75, 1.0)
    yield literal("critic_with_offset", ratios, values, returns, wanted, mask)
    # A smaller clip distance, and two tokens outside of it whose advantage is 0.
    values, returns = [[0.0, 0.5, 0.5, 1.0, 0.25]], [[1.0, 0.5, 0.0, 1.5, 0.25]]
    # The errors 1, 0, -0.5, 0.5 and 0 have a variance of 0.26, and the returns one of 0.29.
    wanted = metrics(k3(1.125, 2.0, 0.875, 1.0, 0.5), 1.1, 2.0, 0.4, 1 - 0.26 / 0.29)
    yield literal("small_clip", [[1.125, 2.0, 0.875, 1.0, 0.5]], values, returns, wanted, eps=0.0625)


def degenerate():
    """Return the cases in which there is no variance to explain."""
    wanted = metrics(k3(1.5, 0.5, 1.1), 3.1 / 3, 1.5, 1 / 3, 0.0)
    ratios, mask = [[1.5, 0.5, 1.1, 4.0]], [[1, 1, 1, 0]]
    yield literal("equal_returns", ratios, [[0.25, 0.0, 1.0, 0.0]], [[0.5, 0.5, 0.5, 7.0]], wanted, mask)
    wanted = metrics(k3(0.5), 0.5, 0.5, 1.0, 0.0)
    yield literal("one_token", [[3.0, 0.5]], [[0.0, 1.0]], [[1.0, 0.0]], wanted, [[0, 1]])
    wanted = metrics(0.0, 1.0, 1.0, 0.0, 0.0)
    yield literal("no_tokens", [[3.0, 0.5]], [[0.0, 1.0]], [[1.0, 0.0]], wanted, [[0, 0]])


def large_ratios():
    """Return log-ratios of 8 and -8."""
    args = {
        "logp": torch.tensor([[-1.0, -9.0, -1.0]]),
        "old_logp": torch.tensor([[-9.0, -1.0, -1.0]]),
        "values": torch.tensor([[0.0, 0.5, 1.0]]),
        "returns": torch.tensor([[1.0, 0.0, 0.5]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
    }
    high, low = math.exp(8), math.exp(-8)
    # The errors 1, -0.5 and -0.5 have a variance of 1/2, and the returns one of 1/6.
    wanted = metrics(k3(high, low, 1.0), (high + low + 1) / 3, high, 2 / 3, -2.0)
    return Case("large_ratios", args, expected=wanted, visible=True)


def ragged(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16))
    return Case("ragged", args, relations=(PADDING, REVERSED, LOG_PROBS_SHIFTED))


def wide_clip(rng):
    """Return a batch with a clip distance that only the outermost ratios exceed."""
    bands = ((0.05, 0.1), (0.62, 0.7), (1.3, 1.4), (1.55, 1.6))
    args = {**batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), bands), "eps": 0.5}
    return Case("wide_clip", args, relations=(PADDING,))


def transposed(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16))
    return Case("transposed", {name: x.T.contiguous().T for name, x in args.items()})


def inputs_require_grad(rng):
    args = batch(rng, 3, 12)
    return Case("inputs_require_grad", args, constants=("logp", "old_logp", "values", "returns"))


def double_precision(rng):
    args = batch(rng, 3, 12)
    args = {name: x.double() if x.is_floating_point() else x for name, x in args.items()}
    return Case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield from degenerate()
    yield large_ratios()
    yield ragged(rng)
    yield wide_clip(rng)
    yield transposed(rng)
    yield inputs_require_grad(rng)
    yield double_precision(rng)

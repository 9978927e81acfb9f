"""Row ratios are drawn by region, well away from the clip bounds; token ratios scatter around them."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask of rows of at least two tokens; row 0 is full except for a gap."""
    lengths = torch.randint(3, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 2
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def batch(rng, rows, steps, bands, eps_low=0.2, eps_high=0.2):
    """Return rows whose ratios use the bands in turn, and then again with negative advantages."""
    mask = ragged_mask(rng, rows, steps)
    low, high = torch.tensor(bands)[torch.arange(rows) % len(bands)].T
    is_positive = torch.arange(rows) // len(bands) % 2 == 0
    scatter = rand(rng, rows, steps, low=0.3, high=0.9) * torch.where(torch.arange(steps) % 2 == 0, 1.0, -1.0)
    # The scatter has mean 0 over the unmasked tokens, so that the row's ratio is the drawn one.
    scatter -= ((scatter * mask).sum(dim=1) / mask.sum(dim=1))[:, None]
    old_logp = rand(rng, rows, steps, low=-2.5, high=-1.5)
    return {
        "logp": old_logp + scatter + rand(rng, rows, low=low, high=high).log()[:, None],
        "old_logp": old_logp,
        "adv": torch.where(is_positive, rand(rng, rows, low=1.6, high=2.4), rand(rng, rows, low=-0.9, high=-0.6)),
        "mask": mask,
        "eps_low": eps_low,
        "eps_high": eps_high,
    }


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    mask = args["mask"]
    for shift, name in enumerate(("logp", "old_logp", "adv")):
        keep = mask.any(dim=1) if args[name].dim() == 1 else mask
        spread = poison[(torch.arange(keep.numel()).reshape(keep.shape) + shift) % 3]
        args[name] = torch.where(keep, args[name], spread)
    return args


def dragged(args):
    """Move a row's whole log-ratio to its first token: the product over the row does not change."""
    gaps = torch.where(args["mask"], args["logp"] - args["old_logp"], 0.0)
    gathered = torch.zeros_like(gaps)
    gathered[:, 0] = gaps.sum(dim=1)
    args["logp"] = args["old_logp"] + gathered
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
    expect=lambda out: {**out, "grad.logp": out["grad.logp"].flip(0)},
)
GATHERED = Relation(
    name="gaps_gathered",
    says="Which token of a row carries the difference between the policies does not matter.",
    change=dragged,
)
SWITCHED = Relation(
    name="other_form",
    says="With one advantage per answer both forms give the same loss and gradient.",
    change=lambda args: {**args, "token_variant": not args.get("token_variant", False)},
)
REGIONS = [(0.5, 0.7), (0.85, 0.95), (1.05, 1.15), (1.3, 1.5)]


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def two_rows():
    """Return the example of the statement, without its bounds."""
    return {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "old_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "adv": torch.tensor([1.0, -1.0]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
    }


def wide_bounds():
    # The first row's ratio is e^(0.45 / 4), inside the bounds; the second row's is e^(-1.2 / 3), which is clipped to
    # 0.8.
    args = {**two_rows(), "eps_low": 0.2, "eps_high": 0.2}
    return case("wide_bounds", args, visible=True, relations=(PADDING,), expected=(-math.exp(0.1125) + 0.8) / 2)


def default_bounds():
    return case("default_bounds", two_rows(), visible=True, expected=(-1.0004 + 0.9997) / 2)


def one_token():
    """Return an empty row and a row of a single token, whose ratio is 1.1."""
    args = {
        "logp": torch.tensor([[-1.0, -2.0], [-1.5, -0.4]]),
        "old_logp": torch.tensor([[-1.0, -1.0], [-1.5 - math.log(1.1), -0.9]]),
        "adv": torch.tensor([5.0, 1.0]),
        "mask": torch.tensor([[False, False], [True, False]]),
        "eps_low": 0.2,
        "eps_high": 0.2,
    }
    return case("one_token", args, relations=(PADDING, SWITCHED), expected=-1.1)


def four_corners(rng):
    """Return a case whose matrices are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 8, 10), randint(rng, 9, 12), REGIONS)
    args = {name: x.T.contiguous().T if getattr(x, "ndim", 0) == 2 else x for name, x in args.items()}
    return case("four_corners", args, relations=(PADDING, GATHERED, REVERSED))


def uneven_bounds(rng):
    bands = [(0.5, 0.65), (0.75, 0.85), (1.15, 1.25), (1.4, 1.6)]
    args = batch(rng, randint(rng, 8, 10), randint(rng, 9, 12), bands, 0.1, 0.3)
    return case("uneven_bounds", args)


def shared_by_tokens(rng):
    args = batch(rng, randint(rng, 8, 10), randint(rng, 9, 12), REGIONS)
    return case("shared_by_tokens", {**args, "token_variant": True}, relations=(PADDING, SWITCHED))


def token_advantages(rng):
    args = batch(rng, randint(rng, 8, 10), randint(rng, 9, 12), REGIONS)
    signs = torch.where(torch.arange(args["mask"].shape[1]) % 3 == 1, -0.5, 1.0)
    args["adv"] = args["adv"][:, None] * signs * rand(rng, *args["mask"].shape, low=0.8, high=1.2)
    return case("token_advantages", {**args, "token_variant": True}, relations=(PADDING, REVERSED))


def empty_rows(rng):
    args = batch(rng, randint(rng, 9, 11), randint(rng, 9, 12), REGIONS)
    args["mask"][2] = args["mask"][5] = False
    args["mask"][7] = torch.arange(args["mask"].shape[1]) == 1
    args["logp"][7] = args["old_logp"][7] + 0.1
    return case("empty_rows", args, relations=(PADDING, SWITCHED))


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 5, 8), REGIONS)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING, SWITCHED), expected=0.0)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 8, 10), randint(rng, 9, 12), REGIONS)
    return Case("constants_require_grad", args, grads=("logp",), constants=("old_logp", "adv"))


def token_constants_require_grad(rng):
    """Return the same rule for per-token advantages."""
    args = token_advantages(rng).args
    return Case("token_constants_require_grad", args, grads=("logp",), constants=("old_logp", "adv"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 8, 9, REGIONS)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def large_gaps():
    """Return log-ratios of 8 and -7, whose mean of 0.5 gives an ordinary ratio, and a single one of 8."""
    args = {
        "logp": torch.tensor([[-1.0, -9.0], [-1.0, -9.0]]),
        "old_logp": torch.tensor([[-9.0, -2.0], [-9.0, -2.0]]),
        "adv": torch.tensor([-1.0, -2.0]),
        "mask": torch.tensor([[True, True], [True, False]]),
        "eps_low": 0.2,
        "eps_high": 0.2,
    }
    return case("large_gaps", args, visible=True, expected=(math.exp(0.5) + 2 * math.exp(8)) / 2)


def default_bounds_apart():
    """Return the two rows with advantages of different sizes, so that errors from swapped bounds do not cancel."""
    args = {**two_rows(), "adv": torch.tensor([1.0, -2.0])}
    return case("default_bounds_apart", args, expected=(-1.0004 + 2 * 0.9997) / 2)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield wide_bounds()
    yield default_bounds()
    yield one_token()
    yield four_corners(rng)
    yield uneven_bounds(rng)
    yield shared_by_tokens(rng)
    yield token_advantages(rng)
    yield empty_rows(rng)
    yield no_tokens(rng)
    yield constants_require_grad(rng)
    yield token_constants_require_grad(rng)
    yield double_precision(rng)
    yield large_gaps()
    yield default_bounds_apart()

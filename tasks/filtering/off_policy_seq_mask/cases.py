"""Each kind of row tests one rule; the mean drift of a row is well away from the threshold."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

STEPS = 12
# The sign of the advantage, the mean drift, the scatter around it, and the range of token counts.
KINDS = (
    (-1, 0.5, 0.15, (6, 10)),  # dropped
    (-1, 0.12, 0.1, (6, 10)),  # kept, though the sum is above the threshold
    (-1, -0.5, 0.1, (6, 10)),  # kept, though the absolute value is above it
    (-1, -0.72, 0.02, (6, 10)),  # kept, like the next one, though it has moved a long way up
    (-1, -1.4, 0.1, (6, 10)),
    (1, 0.5, 0.15, (6, 10)),  # kept, because the answer is good
    (1, -0.5, 0.15, (6, 10)),  # kept
    (0, 0.5, 0.15, (6, 10)),  # kept, because an advantage of 0 is not negative
    (-1, 0.42, 0.05, (3, 4)),  # dropped, though the sum over the padded length is small
    (-1, 0.1, 0.35, (6, 10)),  # kept, though single tokens are above the threshold
    (-1, 0.05, 1.6, (6, 10)),  # kept, though some ratios are large
    (-1, 0.6, 0.9, (6, 10)),  # dropped, though some tokens have become more likely
)


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def row(rng, kind):
    """Return logp, old_logp, adv and mask of one answer; the padding has a drift of the opposite sign."""
    sign, mean, scatter, (low, high) = kind
    count = randint(rng, low, high)
    mask = torch.arange(STEPS) < count
    noise = scatter * torch.where(torch.arange(STEPS) % 2 == 0, 1.0, -1.0) * rand(rng, STEPS, low=0.8, high=1.0)
    noise -= (noise * mask).sum() / count
    drift = torch.where(mask, mean + noise, torch.tensor(-3.0 if mean > 0.3 else 3.0))
    old_logp = rand(rng, STEPS, low=-2.5, high=-1.0)
    return old_logp - drift, old_logp, sign * rand(rng, 1, low=0.5, high=2.0)[0], mask


def skewed(rng):
    """Return a wrong answer that drifted only at the first token: it is dropped, although most tokens are unchanged."""
    _, old_logp, adv, mask = row(rng, KINDS[0])
    drift = torch.where(torch.arange(STEPS) == 0, 0.5 * mask.sum(), 0.0)
    return old_logp - drift, old_logp, adv, mask


def batch(rng):
    rows = [*(row(rng, kind) for kind in KINDS), skewed(rng)]
    order = torch.randperm(len(rows), generator=rng).tolist()
    logp, old_logp, adv, mask = (torch.stack(parts) for parts in zip(*(rows[i] for i in order), strict=True))
    return {"logp": logp, "old_logp": old_logp, "adv": adv, "mask": mask, "delta": 0.3}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "old_logp")):
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
    expect=lambda out: {"keep": out["keep"].flip(0)},
)
SCALED = Relation(
    name="advantages_scaled",
    says="Only the sign of an advantage matters.",
    change=lambda args: {**args, "adv": args["adv"] / 1024},
)


def case(name, logp, old_logp, adv, mask, delta, expected, **more):
    args = {
        "logp": torch.tensor(logp),
        "old_logp": torch.tensor(old_logp),
        "adv": torch.tensor(adv),
        "mask": torch.tensor(mask),
        "delta": delta,
    }
    return Case(name=name, args=args, expected=expected, visible=True, **more)


def two_rows(name, delta, expected):
    """Return the statement's example, with drifts of -0.1125 and 0.4."""
    logp = [[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]
    old_logp = [[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]
    mask = [[True] * 4, [True, True, True, False]]
    return case(name, logp, old_logp, [1.0, -1.0], mask, delta, expected, relations=(PADDING,))


def low_threshold():
    return two_rows("low_threshold", 0.2, [True, False])


def high_threshold():
    return two_rows("high_threshold", 0.5, [True, True])


def at_threshold():
    """Return drifts of exactly 0.5, and of 0.5625, each next to a masked position."""
    logp = [[-1.0, -2.0, -1.0], [-1.0, -2.0, -1.0]]
    old_logp = [[-0.75, -1.25, -1.0], [-0.75, -1.125, -1.0]]
    return case("at_threshold", logp, old_logp, [-1.0, -1.0], [[True, True, False]] * 2, 0.5, [True, False])


def no_drift():
    """Return a `delta` of 0 with drifts of exactly 0, above 0 and below 0."""
    logp = [[-1.0, -2.0], [-1.0, -2.0], [-1.0, -2.0]]
    old_logp = [[-1.5, -1.5], [-1.0, -1.75], [-1.25, -2.0]]
    return case("no_drift", logp, old_logp, [-1.0] * 3, [[True] * 2] * 3, 0.0, [True, False, True])


def empty_rows():
    """Return three rows with no unmasked tokens, one with an advantage of NaN, and a row with one token."""
    logp = [[-1.0, -2.0], [-0.65, -2.0], [-3.0, -2.0], [-1.0, -2.0]]
    old_logp = [[-0.5, -1.0], [-0.5, -1.0], [-0.5, -1.0], [-1.5, -3.0]]
    mask = [[False, False], [True, False], [False, False], [False, False]]
    adv, expected = [-1.0, -1.0, math.nan, -1.0], [True, False, True, True]
    return case("empty_rows", logp, old_logp, adv, mask, 0.1, expected, relations=(PADDING,))


def single_row():
    return case("single_row", [[-1.0, -2.0, -1.5]], [[-0.5, -1.0, -1.0]], [-0.5], [[True] * 3], 0.25, [False])


def all_kinds(rng):
    return Case("all_kinds", batch(rng), relations=(PADDING, REVERSED, SCALED))


def transposed(rng):
    """Return a case whose matrices are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng)
    args = {name: x.T.contiguous().T if getattr(x, "ndim", 0) == 2 else x for name, x in args.items()}
    return Case("transposed", args, relations=(PADDING,))


def small_drifts(rng):
    """Return drifts 15% above and below a small threshold, with log-probabilities that are much larger."""
    steps = randint(rng, 20, 30)
    old_logp = rand(rng, 8, steps, low=-9.0, high=-6.0)
    is_above = torch.rand(8, generator=rng).argsort() < 4
    drift = torch.where(is_above, 0.0115, 0.0085)[:, None]
    args = {"logp": old_logp - drift, "old_logp": old_logp, "adv": -rand(rng, 8, low=0.5, high=2.0)}
    return Case("small_drifts", {**args, "mask": torch.ones(8, steps, dtype=torch.bool), "delta": 0.01})


def double_precision():
    """Return drifts that exceed a `delta` of 0.25 by 1e-9, and that are below it by 1e-9."""
    old_logp = torch.full((2, 3), -6.0, dtype=torch.float64)
    args = {
        "logp": old_logp - torch.tensor([[0.25 + 1e-9], [0.25 - 1e-9]], dtype=torch.float64),
        "old_logp": old_logp,
        "adv": torch.tensor([-1.0, -1.0], dtype=torch.float64),
        "mask": torch.ones(2, 3, dtype=torch.bool),
        "delta": 0.25,
    }
    return Case("double_precision", args, expected=[False, True], visible=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield low_threshold()
    yield high_threshold()
    yield at_threshold()
    yield no_drift()
    yield empty_rows()
    yield single_row()
    yield all_kinds(rng)
    yield transposed(rng)
    yield small_drifts(rng)
    yield double_precision()

"""Weights are drawn by region, well away from the bounds, so that no case depends on the last bit of a float."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask of rows of at least three tokens; row 0 is full except for a gap."""
    lengths = torch.randint(4, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 3
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def args_of(rng, log_weights, mask, mode, kind, lo, hi):
    rollout_logp = rand(rng, *mask.shape, low=-3.0, high=-1.0)
    # At masked positions, the gap is large, so that a sum that includes them is detected.
    log_weights = torch.where(mask, log_weights, 1.5)
    given = {"train_logp": rollout_logp + log_weights, "rollout_logp": rollout_logp, "mask": mask}
    return {**given, "mode": mode, "kind": kind, "lo": lo, "hi": hi}


def drawn(rng, rows, steps, bands):
    """Return numbers [rows, steps] that are drawn from the bands in turn along each row."""
    low, high = torch.tensor(bands)[torch.arange(steps) % len(bands)].T
    return rand(rng, rows, steps, low=low.expand(rows, steps), high=high.expand(rows, steps))


def by_tokens(rng, bands, **more):
    """Return a batch in which each row's tokens use the bands of weights in turn."""
    rows, steps = randint(rng, 3, 5), randint(rng, 9, 12)
    return args_of(rng, drawn(rng, rows, steps, bands).log(), ragged_mask(rng, rows, steps), **more)


def by_rows(rng, bands, mode, **more):
    """Return a batch in which the rows use the bands in turn; the tokens of a row scatter around its weight."""
    rows, steps = len(bands) + randint(rng, 0, 1), randint(rng, 9, 12)
    mask = ragged_mask(rng, rows, steps)
    counts = mask.sum(dim=1, keepdim=True)
    scatter = drawn(rng, rows, steps, [(0.5, 0.9), (-0.9, -0.5)])
    scatter -= (scatter * mask).sum(dim=1, keepdim=True) / counts
    level = drawn(rng, 1, rows, bands).log().T
    return args_of(rng, scatter + (level / counts if mode == "seq" else level), mask, mode=mode, **more)


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("train_logp", "rollout_logp")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


def twice(args):
    """Repeat every token in its row."""
    return {name: x.repeat_interleave(2, dim=1) if isinstance(x, torch.Tensor) else x for name, x in args.items()}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
SHIFTED = Relation(
    name="both_shifted",
    says="Only the difference of the two log-probabilities matters.",
    change=lambda args: {name: x - 0.25 if name.endswith("logp") else x for name, x in args.items()},
)
REVERSED = Relation(
    name="rows_reversed",
    says="Rows do not know of each other.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {"weights": out["weights"].flip(0)},
)
FIRST_ROW = Relation(
    name="first_row_alone",
    says="A row has the same weights when it comes alone.",
    change=lambda args: {name: x[:1] if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {"weights": out["weights"][:1]},
)
TWICE = Relation(
    name="tokens_twice",
    says="The root does not depend on the length: with every token twice the weights stay.",
    change=twice,
    expect=lambda out: {"weights": out["weights"].repeat_interleave(2, dim=1)},
)
UPPER = Relation(
    name="on_the_upper_bound",
    says="A weight that equals the upper bound is not above it.",
    change=lambda args: {**args, "lo": 0.5, "hi": 1.0},
)
BANDS = [(0.2, 0.4), (0.7, 0.9), (1.1, 1.6), (2.5, 4.0)]


def case(name, args, **more):
    return Case(name=name, args=args, **more)


def two_tokens(mode, kind):
    """Return the statement's example."""
    given = {
        "train_logp": torch.tensor([[0.6, 0.1]]).log(),
        "rollout_logp": torch.tensor([[0.2, 0.2]]).log(),
        "mask": torch.ones(1, 2, dtype=torch.bool),
    }
    return {**given, "mode": mode, "kind": kind, "lo": 0.75, "hi": 2.0}


def token_truncated():
    return case("token_truncated", two_tokens("token", "tis"), visible=True, expected=[[2.0, 0.5]])


def token_masked():
    return case("token_masked", two_tokens("token", "mis"), visible=True, expected=[[0.0, 0.0]])


def row_truncated():
    return case("row_truncated", two_tokens("seq", "tis"), visible=True, expected=[[1.5, 1.5]])


def root_masked():
    """Return the example with an additional row of a single token."""
    args = two_tokens("geo", "mis")
    args["train_logp"] = torch.tensor([[0.6, 0.1], [0.3, 0.9]]).log()
    args["rollout_logp"] = torch.tensor([[0.2, 0.2], [0.2, 0.2]]).log()
    args["mask"] = torch.tensor([[True, True], [True, False]])
    return case("root_masked", args, visible=True, expected=[[math.sqrt(1.5)] * 2, [1.5, 0.0]])


def on_the_bounds():
    """Return an engine that agrees to the last bit: every weight is exactly 1, with both bounds tested in turn."""
    args = two_tokens("token", "mis")
    args["train_logp"] = args["rollout_logp"].clone()
    args |= {"lo": 1.0, "hi": 2.0}
    return case("on_the_bounds", args, relations=(UPPER,), expected=[[1.0, 1.0]])


def two_rows():
    args = {
        "train_logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "rollout_logp": torch.tensor([[-1.3, -1.9, -0.5, -2.2], [-0.7, -1.1, -1.5, -0.1]]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
        "mode": "seq",
        "kind": "mis",
        "lo": 0.32,
        "hi": 2.0,
    }
    # Log-weights 0.3, -0.1, 0, -0.8 and 0, -0.1, -1: the rows' weights are e^-0.6 = 0.549 and e^-1.1 = 0.333.
    rows = [[math.exp(-0.6)] * 4, [math.exp(-1.1)] * 3 + [0.0]]
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=rows)


def far_apart():
    """Return log-weights of 50, 19 and -40, which are inside the bounds only because of the limit of 20."""
    args = {
        "train_logp": torch.tensor([[-1.0, -1.0, -41.0]]),
        "rollout_logp": torch.tensor([[-51.0, -20.0, -1.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
        "mode": "token",
        "kind": "mis",
        "lo": 0.0,
        "hi": 1e9,
    }
    return case("far_apart", args, expected=[[math.exp(20), math.exp(19), math.exp(-40)]])


def tokens_truncated(rng):
    """Return a case whose matrices are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = by_tokens(rng, BANDS, mode="token", kind="tis", lo=0.5, hi=2.0)
    args = {name: x.T.contiguous().T if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return case("tokens_truncated", args, relations=(PADDING, SHIFTED))


def tokens_masked(rng):
    args = by_tokens(rng, BANDS, mode="token", kind="mis", lo=0.5, hi=2.0)
    return case("tokens_masked", args, relations=(FIRST_ROW,))


def rows_truncated(rng):
    args = by_rows(rng, BANDS, mode="seq", kind="tis", lo=0.5, hi=2.0)
    return case("rows_truncated", args, relations=(PADDING,))


def rows_masked(rng):
    args = by_rows(rng, [BANDS[1], BANDS[0], BANDS[2], BANDS[3]], mode="seq", kind="mis", lo=0.5, hi=2.0)
    args["mask"][-1] = False
    return case("rows_masked", args, relations=(FIRST_ROW,))


def roots_truncated(rng):
    args = by_rows(rng, [BANDS[1], BANDS[3], BANDS[0], BANDS[2]], mode="geo", kind="tis", lo=0.5, hi=2.0)
    return case("roots_truncated", args, relations=(PADDING, TWICE))


def roots_masked(rng):
    args = by_rows(rng, [BANDS[2], BANDS[1], BANDS[3], BANDS[0]], mode="geo", kind="mis", lo=0.5, hi=2.0)
    return case("roots_masked", args, relations=(REVERSED,))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = by_tokens(rng, BANDS, mode="token", kind="tis", lo=0.5, hi=2.0)
    return Case("constants_require_grad", args, constants=("train_logp", "rollout_logp"))


def far_apart_rows():
    """Return rows whose log-weights sum to 5, 30 and -4, each with a token above 20."""
    args = {
        "train_logp": torch.tensor([[-1.0, -26.0, -1.0], [-1.0, -1.0, -1.0], [-1.0, -31.0, -1.0]]),
        "rollout_logp": torch.tensor([[-31.0, -1.0, -1.0], [-26.0, -6.0, -1.0], [-27.0, -1.0, -1.0]]),
        "mask": torch.ones(3, 3, dtype=torch.bool),
        "mode": "seq",
        "kind": "mis",
        "lo": 0.0,
        "hi": 1e9,
    }
    return case("far_apart_rows", args, visible=True, expected=[[math.exp(x)] * 3 for x in (5, 20, -4)])


def far_apart_roots():
    """Return rows of two tokens whose log-weights have the means 2, 25 and 15."""
    args = {
        "train_logp": torch.tensor([[-1.0, -23.0], [-1.0, -1.0], [-1.0, -1.0]]),
        "rollout_logp": torch.tensor([[-27.0, -1.0], [-31.0, -21.0], [-26.0, -6.0]]),
        "mask": torch.ones(3, 2, dtype=torch.bool),
        "mode": "geo",
        "kind": "tis",
        "lo": 0.0,
        "hi": 1e9,
    }
    return case("far_apart_roots", args, visible=True, expected=[[math.exp(x)] * 2 for x in (2, 20, 15)])


def empty_row():
    """Return a row of two tokens, whose weight is 1.5, and an empty row."""
    args = two_tokens("geo", "tis")
    args["train_logp"] = torch.tensor([[0.6, 0.1], [0.5, 0.5]]).log()
    args["rollout_logp"] = torch.tensor([[0.2, 0.2], [0.5, 0.25]]).log()
    args["mask"] = torch.tensor([[True, True], [False, False]])
    return case("empty_row", args, relations=(PADDING,), expected=[[math.sqrt(1.5)] * 2, [0.0, 0.0]])


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = by_tokens(rng, BANDS, mode="token", kind="mis", lo=0.5, hi=2.0)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def product_above():
    """Return two tokens of weight 1.5: neither is above the bound of 2, but their product is."""
    args = two_tokens("seq", "tis")
    args["train_logp"] = torch.tensor([[0.3, 0.3]]).log()
    return case("product_above", args, visible=True, expected=[[2.0, 2.0]])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield token_truncated()
    yield token_masked()
    yield row_truncated()
    yield root_masked()
    yield on_the_bounds()
    yield two_rows()
    yield far_apart()
    yield tokens_truncated(rng)
    yield tokens_masked(rng)
    yield rows_truncated(rng)
    yield rows_masked(rng)
    yield roots_truncated(rng)
    yield roots_masked(rng)
    yield constants_require_grad(rng)
    yield far_apart_rows()
    yield far_apart_roots()
    yield empty_row()
    yield double_precision(rng)
    yield product_above()

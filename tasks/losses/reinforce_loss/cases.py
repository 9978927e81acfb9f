"""Advantages of both signs differ in size, so that no wrong average is correct by chance."""

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


def row_advantages(rng, rows):
    """Return one advantage per row, of both signs, the positive ones larger, so that errors do not cancel in a mean."""
    is_positive = torch.arange(rows) % 2 == 0
    return torch.where(is_positive, rand(rng, rows, low=1.6, high=2.4), rand(rng, rows, low=-0.9, high=-0.6))


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    mask = args["mask"]
    for shift, name in enumerate(("logp", "adv")):
        keep = mask.any(dim=1) if args[name].dim() == 1 else mask
        spread = poison[(torch.arange(keep.numel()).reshape(keep.shape) + shift) % 3]
        args[name] = torch.where(keep, args[name], spread)
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
SPREAD_OUT = Relation(
    name="one_per_token",
    says="One advantage per row is the same as that advantage at each of its tokens.",
    change=lambda args: {**args, "adv": args["adv"][:, None].repeat(1, args["mask"].shape[1])},
)


def batch(rng, rows, steps, reduction):
    """Return one advantage per row; tokens have higher probabilities in rows with a negative advantage."""
    mask = ragged_mask(rng, rows, steps)
    level = torch.where(torch.arange(rows) % 2 == 0, -2.5, -1.0)[:, None]
    return {
        "logp": level + rand(rng, rows, steps, low=-0.4, high=0.4),
        "adv": row_advantages(rng, rows),
        "mask": mask,
        "reduction": reduction,
    }


def by_token(rng, args):
    """Return the same batch with per-token advantages."""
    rows, steps = args["mask"].shape
    adv = args["adv"][:, None] * rand(rng, rows, steps, low=0.8, high=1.2)
    return {**args, "adv": adv * torch.where(torch.arange(steps) % 4 == 3, -0.5, 1.0)}


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def three_tokens(reduction):
    """Return the statement's example."""
    return {
        "logp": torch.tensor([[-0.5, -1.0, -2.0]]),
        "adv": torch.tensor([[0.81, 0.9, 1.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
        "reduction": reduction,
    }


def returns_to_go():
    return case("returns_to_go", three_tokens("token"), visible=True, expected=3.305 / 3)


def returns_summed():
    return case("returns_summed", three_tokens("seq_sum"), visible=True, expected=3.305)


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -9.0, -9.0, -9.0]]),
        "adv": torch.tensor([1.0, -2.0]),
        "mask": torch.tensor([[True] * 4, [True, False, False, False]]),
        "reduction": "seq",
    }
    # The rows' means are 6.5 / 4 and -1.4.
    return case("two_rows", args, visible=True, relations=(PADDING, SPREAD_OUT), expected=(6.5 / 4 - 1.4) / 2)


def one_token():
    args = {
        "logp": torch.tensor([[-1.5, -2.0]]),
        "adv": torch.tensor([[2.0, 1.0]]),
        "mask": torch.tensor([[True, False]]),
        "reduction": "token",
    }
    return case("one_token", args, expected=3.0)


def token_mean(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = by_token(rng, batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), "token"))
    args = {name: x.T.contiguous().T if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return case("token_mean", args, relations=(PADDING, DOUBLED, REVERSED))


def row_means(rng):
    args = by_token(rng, batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), "seq"))
    return case("row_means", args, relations=(PADDING, REVERSED))


def row_sums(rng):
    args = batch(rng, randint(rng, 4, 5), randint(rng, 12, 16), "seq_sum")
    return case("row_sums", args, relations=(PADDING, SPREAD_OUT))


def square(rng):
    """Return as many rows as tokens, so that advantages per row can be broadcast along columns without an error."""
    steps = randint(rng, 10, 12)
    args = batch(rng, steps, steps, "token")
    return case("square", args, relations=(REVERSED,))


def empty_rows(rng):
    args = batch(rng, randint(rng, 5, 6), randint(rng, 12, 16), "seq")
    args["mask"][2] = False
    args["mask"][1] = torch.arange(args["mask"].shape[1]) == 1
    return case("empty_rows", args, relations=(PADDING,))


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 9, 12), "token")
    args["mask"] = torch.zeros_like(args["mask"])
    in_rows = Relation(
        name="by_rows",
        says="With no token at all every reduction gives the same.",
        change=lambda given: {**given, "reduction": "seq"},
    )
    return case("no_tokens", args, relations=(PADDING, in_rows), expected=0.0)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = by_token(rng, batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), "token"))
    return Case("constants_require_grad", args, grads=("logp",), constants=("adv",))


def row_constants_require_grad(rng):
    """Return the same rule for one advantage per row."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), "seq")
    return Case("row_constants_require_grad", args, grads=("logp",), constants=("adv",))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 12, "seq")
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def empty_rows_summed(rng):
    args = batch(rng, randint(rng, 5, 6), randint(rng, 12, 16), "seq_sum")
    args["mask"][2] = False
    return case("empty_rows_summed", args, relations=(PADDING,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield returns_to_go()
    yield returns_summed()
    yield two_rows()
    yield one_token()
    yield token_mean(rng)
    yield row_means(rng)
    yield row_sums(rng)
    yield square(rng)
    yield empty_rows(rng)
    yield no_tokens(rng)
    yield constants_require_grad(rng)
    yield row_constants_require_grad(rng)
    yield double_precision(rng)
    yield empty_rows_summed(rng)

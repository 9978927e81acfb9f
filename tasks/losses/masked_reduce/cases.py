"""Long rows have small values, so that each way of weighting rows and tokens gives a different number."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng):
    """Return values that rise along a row and from row to row; row 0 is longest and has a gap, row 1 has one token."""
    rows, steps = randint(rng, 4, 6), randint(rng, 11, 15)
    lengths = torch.randint(4, 8, (rows,), generator=rng)
    lengths[0], lengths[1] = steps - 1, 1
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    rising = 0.04 * torch.arange(steps) + 0.02 * torch.rand(rows, steps, generator=rng)
    return {"x": 0.5 + torch.arange(rows)[:, None] + rising, "mask": mask}


def batch_with_empty_row(rng):
    args = batch(rng)
    args["mask"][2] = False
    return args


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    places = torch.arange(args["x"].numel()).reshape(args["x"].shape)
    return {**args, "x": torch.where(args["mask"], args["x"], poison[places % 3])}


def widen(args):
    """Return the batch with three more masked columns."""
    rows = len(args["x"])
    x = torch.cat([args["x"], torch.full((rows, 3), 7.0)], dim=1)
    mask = torch.cat([args["mask"], torch.zeros(rows, 3, dtype=torch.bool)], dim=1)
    return {**args, "x": x, "mask": mask}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
WIDER = Relation(
    name="padding_widened",
    says="More padding behind the rows changes nothing.",
    change=widen,
    expect=lambda out: {"loss": out["loss"]},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {"loss": out["loss"], "grad.x": out["grad.x"].flip(0)},
)
DOUBLED = Relation(
    name="values_doubled",
    says="Twice the values give twice the result and the same gradient.",
    change=lambda args: {**args, "x": 2 * args["x"]},
    expect=lambda out: {"loss": 2 * out["loss"], "grad.x": out["grad.x"]},
)
ALL = (PADDING, WIDER, REVERSED, DOUBLED)


def other_mode(mode, says):
    return Relation(name=f"mode_{mode}", says=says, change=lambda args: {**args, "mode": mode, "L_const": 16})


def two_rows(name, mode, expected, **more):
    mask = torch.tensor([[True, True, False, False], [True] * 4])
    args = {"x": torch.tensor([[1.0, 1.0, 3.0, 3.0], [2.0] * 4]), "mask": mask, "mode": mode, **more}
    return Case(name=name, args=args, grads=("x",), expected=expected, visible=True)


def by_hand():
    # Two tokens of 1 and four of 2; the padding is 3.
    yield two_rows("two_rows_token", "token", 10 / 6)
    yield two_rows("two_rows_seq", "seq", (1 + 2) / 2)
    yield two_rows("two_rows_seq_sum", "seq_sum", (2 + 8) / 2)
    yield two_rows("two_rows_dr", "dr", 10 / (2 * 8), L_const=8)


def one_token():
    args = {
        "x": torch.tensor([[5.0, 3.0, 7.0], [9.0, 8.0, 6.0]]),
        "mask": torch.tensor([[False, True, False], [False] * 3]),
        "mode": "token",
    }
    relations = [other_mode(mode, "A single token is its own mean and its own sum.") for mode in ("seq", "seq_sum")]
    return Case(name="one_token", args=args, grads=("x",), relations=(PADDING, *relations), expected=3.0)


def token_mean(rng):
    """Return a case whose tensors are views of transposed storage."""
    args = {name: x.T.contiguous().T for name, x in batch(rng).items()}
    return Case(name="token_mean", args={**args, "mode": "token"}, grads=("x",), relations=ALL)


def row_means(rng):
    args = {**batch_with_empty_row(rng), "mode": "seq"}
    return Case(name="row_means", args=args, grads=("x",), relations=ALL)


def row_sums(rng):
    args = {**batch_with_empty_row(rng), "mode": "seq_sum"}
    return Case(name="row_sums", args=args, grads=("x",), relations=ALL)


def constant_length(rng):
    args = {**batch_with_empty_row(rng), "mode": "dr", "L_const": randint(rng, 20, 40)}
    return Case(name="constant_length", args=args, grads=("x",), relations=ALL)


def half_precision(rng):
    args = batch(rng)
    args["mask"][0] = True
    return Case(name="half_precision", args={**args, "x": args["x"].bfloat16(), "mode": "token"})


def no_tokens(rng):
    args = {**batch(rng), "mode": "token"}
    args["mask"] = torch.zeros_like(args["mask"])
    relations = [other_mode(mode, "With no token at all every mode gives 0.") for mode in ("seq", "seq_sum", "dr")]
    return Case(name="no_tokens", args=args, grads=("x",), relations=(PADDING, *relations), expected=0.0)


def in_bfloat16(name, rng, mode):
    args = batch(rng)
    args["mask"][0] = True
    return Case(name=name, args={**args, "x": args["x"].bfloat16(), "mode": mode, "L_const": 4})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield one_token()
    yield token_mean(rng)
    yield row_means(rng)
    yield row_sums(rng)
    yield constant_length(rng)
    yield half_precision(rng)
    yield no_tokens(rng)
    yield in_bfloat16("half_precision_rows", rng, "seq")
    yield in_bfloat16("half_precision_sums", rng, "seq_sum")
    yield in_bfloat16("half_precision_constant", rng, "dr")

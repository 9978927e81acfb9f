"""Weights are drawn in bands between the bounds, so that rounding cannot move a weight across a bound."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

LO, HI = 0.5, 2.0
BANDS = ((0.1, 0.45), (0.55, 0.9), (1.1, 1.8), (2.3, 6.0))


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def weights_in_bands(rng, rows, count):
    """Return weights that are drawn from the bands in turn; each row starts with a different band."""
    band = (torch.arange(count) + torch.arange(rows)[:, None]) % len(BANDS)
    low, high = torch.tensor(BANDS).T
    return rand(rng, rows, count, low=low[band], high=high[band])


def batch(rng, kind):
    """Return rows with values of different means; larger weights tend to have larger values."""
    rows, count = randint(rng, 3, 5), randint(rng, 21, 30)
    weights = weights_in_bands(rng, rows, count)
    values = rand(rng, rows, count, low=-0.5, high=1.5) + 0.3 * weights + torch.arange(rows)[:, None]
    return {"log_w": weights.log(), "values": values, "kind": kind, "lo": LO, "hi": HI}


def reversed_samples(args):
    return {**args, "log_w": args["log_w"].flip(1), "values": args["values"].flip(1)}


def alone(args):
    return {**args, "log_w": args["log_w"][1:2].clone(), "values": args["values"][1:2].clone()}


REVERSED = Relation(
    name="samples_reversed",
    says="The order of the samples in a row does not matter.",
    change=reversed_samples,
)
ALONE = Relation(
    name="one_row_alone",
    says="A row's results do not depend on the other rows.",
    change=alone,
    expect=lambda out: {name: value[1:2] for name, value in out.items()},
)
DOUBLED_VALUES = Relation(
    name="values_doubled",
    says="Twice the values give twice the estimate and the same effective sample size.",
    change=lambda args: {**args, "values": 2 * args["values"]},
    expect=lambda out: {**out, "estimate": 2 * out["estimate"]},
)
DOUBLED_WEIGHTS = Relation(
    name="weights_doubled",
    says="Without normalization, twice the weights give twice the estimate and the same effective sample size.",
    change=lambda args: {**args, "log_w": args["log_w"] + math.log(2)},
    expect=lambda out: {**out, "estimate": 2 * out["estimate"]},
)
SCALED_WEIGHTS = Relation(
    name="weights_scaled",
    says="With normalization, a constant factor of all weights changes nothing.",
    change=lambda args: {**args, "log_w": args["log_w"] + math.log(2)},
)
SHIFTED_VALUES = Relation(
    name="values_shifted",
    says="With normalization, a constant added to all values is added to the estimate.",
    change=lambda args: {**args, "values": args["values"] + 1},
    expect=lambda out: {**out, "estimate": out["estimate"] + 1},
)


def literal(name, weights, values, kind, bounds, expected):
    lo, hi = bounds or (None, None)
    args = {"log_w": torch.tensor(weights).log(), "values": torch.tensor(values), "kind": kind, "lo": lo, "hi": hi}
    return Case(name, args, visible=True, expected=expected)


def by_hand():
    weights, values = [[0.5, 1.0, 1.0, 8.0]], [[4.0, 1.0, 3.0, 5.0]]
    # The weighted values are 2, 1, 3 and 40, and the effective sample size is 10.5^2 / 66.25.
    yield literal("four_weights", weights, values, "is", None, ([11.5], [110.25 / 66.25]))
    yield literal("four_normalized", weights, values, "snis", None, ([46 / 10.5], [110.25 / 66.25]))
    yield literal("four_truncated", weights, values, "tis", (0.75, 2.0), ([16 / 4], [4.5**2 / 6.25]))
    yield literal("four_masked", weights, values, "mis", (0.75, 2.0), ([4 / 4], [2.0]))
    yield literal("at_lower_bound", [[1.0, 2.0, 0.5]], [[1.0, 2.0, 5.0]], "mis", (1.0, 3.0), ([5 / 3], [9 / 5]))
    yield literal(
        "at_upper_bound", [[1.0, 0.5, 3.0]], [[2.0, 4.0, 9.0]], "mis", (0.25, 1.0), ([4 / 3], [1.5**2 / 1.25])
    )
    rows = [[8.0, 0.01], [1.5, 4.0], [0.25, 0.2]]
    yield literal("all_masked", rows, [[3.0, 5.0]] * 3, "mis", (0.5, 2.0), ([0.0, 2.25, 0.0], [0.0, 1.0, 0.0]))
    yield literal("equal_weights", [[3.0] * 5], [[1.0, 2.0, 3.0, 4.0, 5.0]], "is", None, ([9.0], [5.0]))
    yield literal("one_sample", [[4.0], [0.2]], [[2.5], [-1.5]], "snis", None, ([2.5, -1.5], [1.0, 1.0]))


def many(name, rng, kind, *relations):
    return Case(name, batch(rng, kind), relations=(REVERSED, ALONE, DOUBLED_VALUES, *relations))


def large_logs(rng):
    """Return rows of logarithms near 1000, near -1000, and spread over thousands."""
    args = batch(rng, "snis")
    args["log_w"][0] += 1000
    args["log_w"][1] -= 1000
    args["log_w"][2] = args["log_w"][2] * 1000
    # The two largest weights of row 2 are similar.
    args["log_w"][2, 0], args["log_w"][2, 1] = 4000.5, 4000.0
    return Case("large_logs", args, relations=(REVERSED, ALONE))


def tiny_weights(rng):
    """Return rows of weights whose squares underflow in float32, after a row of ordinary weights."""
    args = batch(rng, "is")
    args["log_w"][1:] -= 77
    return Case("tiny_weights", args, relations=(REVERSED, ALONE))


def transposed(rng):
    """Return tensors that are views of transposed storage."""
    args = batch(rng, "tis")
    args["log_w"], args["values"] = (args[name].T.contiguous().T for name in ("log_w", "values"))
    return Case("transposed", args, relations=(ALONE,))


def double_precision(rng):
    args = batch(rng, "snis")
    args["log_w"], args["values"] = args["log_w"].double(), args["values"].double()
    return Case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield many("many_weights", rng, "is", DOUBLED_WEIGHTS)
    yield many("many_normalized", rng, "snis", SCALED_WEIGHTS, SHIFTED_VALUES)
    yield many("many_truncated", rng, "tis")
    yield many("many_masked", rng, "mis")
    yield large_logs(rng)
    yield tiny_weights(rng)
    yield transposed(rng)
    yield double_precision(rng)

"""Log-probabilities are multiples of 1/64, so that their differences are exact even if they are large."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def grid(rng, count, low, high):
    return torch.randint(int(64 * low), int(64 * high), (count,), generator=rng) / 64


def batch(rng):
    """Return pairs whose preferred answer is behind, slightly ahead, and far ahead."""
    count = 3 * randint(rng, 2, 3)
    lead = grid(rng, count, 0.25, 0.75)
    lead[::3] = grid(rng, count // 3, -1.75, -1.0)
    lead[1::3] = grid(rng, count // 3, 1.0, 1.75)
    avg_logp_l = grid(rng, count, -4, -2)
    return {"avg_logp_w": avg_logp_l + lead, "avg_logp_l": avg_logp_l}


SHIFTED = Relation(
    name="log_probs_shifted",
    says="The same constant added to both log-probabilities changes nothing.",
    change=lambda args: {**args, "avg_logp_w": args["avg_logp_w"] - 1.5, "avg_logp_l": args["avg_logp_l"] - 1.5},
)
REVERSED = Relation(
    name="pairs_reversed",
    says="The order of the pairs does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: x.flip(0) if x.dim() else x for name, x in out.items()},
)
SCALE_MOVED = Relation(
    name="scale_moved_into_beta",
    says="Half the log-probabilities with twice the beta give the same loss and twice the gradient.",
    change=lambda args: {
        **args,
        "avg_logp_w": args["avg_logp_w"] / 2,
        "avg_logp_l": args["avg_logp_l"] / 2,
        "beta": 2 * args["beta"],
    },
    expect=lambda out: {name: 2 * x if x.dim() else x for name, x in out.items()},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("avg_logp_w", "avg_logp_l"), **more)


def pairs(avg_logp_w, avg_logp_l, **more):
    return {"avg_logp_w": torch.tensor(avg_logp_w), "avg_logp_l": torch.tensor(avg_logp_l), **more}


def loss_of(*leads):
    """Return the mean loss of pairs with these leads over the margin, for the results computed by hand."""
    return sum(math.log(1 + math.exp(-lead)) for lead in leads) / len(leads)


def by_hand():
    # The rewards are 0.6 apart, which is 0.4 less than the margin.
    yield case("one_pair", pairs([-0.5], [-0.8]), expected=loss_of(-0.4), visible=True)
    yield case("equal_answers", pairs([-0.5, -2.0], [-0.5, -2.0]), expected=loss_of(-1.0), visible=True)
    # The rewards are exactly gamma apart.
    args = pairs([-0.5], [-0.8], beta=10.0, gamma=3.0)
    yield case("at_the_margin", args, expected=math.log(2), visible=True)
    args = pairs([-1.0, -3.0, -0.5], [-1.5, -1.0, -2.0], beta=1.0, gamma=0.0)
    yield case("no_margin", args, expected=loss_of(0.5, -2.0, 1.5), visible=True)


def far_apart():
    """Return rewards that are 20000, -20000 and -600 apart; with a margin of 2, the losses are 0, 20002 and 602."""
    args = pairs([-1.0, -10001.0, -301.0], [-10001.0, -1.0, -1.0], beta=2.0, gamma=2.0)
    return case("far_apart", args, expected=20604 / 3)


def many_pairs(rng):
    return case("many_pairs", {**batch(rng), "beta": 2.0, "gamma": 0.5}, relations=(SHIFTED, REVERSED, SCALE_MOVED))


def large_margin(rng):
    return case("large_margin", {**batch(rng), "beta": 3.0, "gamma": 2.5}, relations=(SHIFTED, SCALE_MOVED))


def defaults(rng):
    return case("defaults", batch(rng), relations=(SHIFTED, REVERSED))


def double_precision(rng):
    args = {name: x.double() for name, x in batch(rng).items()}
    return case("double_precision", {**args, "beta": 2.5, "gamma": 1.25})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield far_apart()
    yield many_pairs(rng)
    yield large_margin(rng)
    yield defaults(rng)
    yield double_precision(rng)

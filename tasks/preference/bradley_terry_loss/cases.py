"""Scores are multiples of 1/64; every random batch has correctly and wrongly ordered pairs and a tie."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def grid(rng, count, low, high):
    return torch.randint(round(64 * low), round(64 * high), (count,), generator=rng) / 64


def batch(rng):
    """Return a tie, two wrong pairs, and leads from 0.25 to 2, of which the first two are below 0.75."""
    count = randint(rng, 7, 10)
    r_rejected = grid(rng, count, -3, 3)
    lead = grid(rng, count, 1, 2)
    lead[0], lead[1] = grid(rng, 2, 0.25, 0.75)
    lead[2], lead[3] = grid(rng, 2, -2, -0.5)
    lead[4] = 0
    return {"r_chosen": r_rejected + lead, "r_rejected": r_rejected}


def reverse(args):
    return {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()}


def shift(args):
    places = torch.arange(len(args["r_chosen"])) / 4
    return {**args, "r_chosen": args["r_chosen"] + places, "r_rejected": args["r_rejected"] + places}


SHIFTED = Relation(
    name="scores_shifted",
    says="A constant added to both scores of a pair changes nothing.",
    change=shift,
)
REVERSED = Relation(
    name="pairs_reversed",
    says="The order of the pairs does not matter.",
    change=reverse,
    expect=lambda out: {name: x.flip(0) if x.dim() else x for name, x in out.items()},
)
REPEATED = Relation(
    name="batch_repeated",
    says="The same pairs once more change neither loss nor accuracy.",
    change=lambda args: {name: x.repeat(2) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {"loss": out["loss"], "acc": out["acc"]},
)
ALL = (SHIFTED, REVERSED, REPEATED)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("r_chosen", "r_rejected"), **more)


def pairs(chosen, rejected, **more):
    return {"r_chosen": torch.tensor(chosen), "r_rejected": torch.tensor(rejected), **more}


def by_hand():
    yield case("one_pair", pairs([1.2], [0.4]), expected=(math.log(1 + math.exp(-0.8)), 1.0), visible=True)
    with_margin = pairs([1.2], [0.4], margin=0.5)
    yield case("with_margin", with_margin, expected=(math.log(1 + math.exp(-0.3)), 1.0), visible=True)
    # A tie is not a win, and its loss is that of a coin toss.
    ties = pairs([0.5, 2.0], [0.5, 2.0])
    yield case("ties", ties, expected=(math.log(2), 0.0), visible=True)


def far_apart():
    # Leads of 20000, -20000 and -1000: the loss is 0 for correct pairs and the distance for wrong ones.
    args = pairs([1e4, -1e4, -500.0], [-1e4, 1e4, 500.0])
    return case("far_apart", args, expected=(21000 / 3, 1 / 3))


def many_pairs(rng):
    return case("many_pairs", batch(rng), relations=ALL)


def one_margin(rng):
    args = {**batch(rng), "margin": 0.8}
    return case("one_margin", args, relations=ALL)


def own_margins(rng):
    args = batch(rng)
    margin = grid(rng, len(args["r_chosen"]), 0.8, 1.5)
    return case("own_margins", {**args, "margin": margin}, relations=ALL)


def half_precision(rng):
    """Return bfloat16 scores whose differences would be rounded up in bfloat16."""
    count = randint(rng, 5, 8)
    r_chosen, r_rejected = grid(rng, count, 3, 4), grid(rng, count, 0.4, 0.48) / 64
    args = {"r_chosen": r_chosen.bfloat16(), "r_rejected": r_rejected.bfloat16(), "margin": 2.53125}
    return Case(name="half_precision", args=args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield far_apart()
    yield many_pairs(rng)
    yield one_margin(rng)
    yield own_margins(rng)
    yield half_precision(rng)

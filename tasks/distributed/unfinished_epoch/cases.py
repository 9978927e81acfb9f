"""The expected values are those of one process that combines all ranks' batches of a step, computed in float64."""

import math
from collections.abc import Iterator
from itertools import zip_longest

import torch

from tasks.task import Case, PerRank, Relation

WIDTH = 4


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, ranks, **more):
    """Return a case in which each rank's batches have these numbers of rows."""

    def batch(rows):
        return {"states": torch.randn(rows, WIDTH, generator=rng), "returns": 2 + torch.randn(rows, generator=rng)}

    args = {
        "hidden": torch.randn(3, WIDTH, generator=rng),
        "head": torch.randn(3, generator=rng),
        "lr": 0.1,
        "batches": PerRank(tuple([batch(rows) for rows in sizes] for sizes in ranks)),
    }
    return Case(name=name, args=args, world=len(ranks), **more)


def expected(case: Case):
    """Return the results of one process with all batches of each step."""
    args = case.args
    weights = {name: args[name].double() for name in ("hidden", "head")}
    losses = []
    for parts in zip_longest(*args["batches"].values):
        weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
        there = [part for part in parts if part is not None]
        states, returns = (torch.cat([part[name] for part in there]).double() for name in ("states", "returns"))
        loss = ((states @ weights["hidden"].T).tanh() @ weights["head"] - returns).square().mean()
        loss.backward()
        losses.append(loss.item())
        weights = {name: (weight - args["lr"] * weight.grad).detach() for name, weight in weights.items()}
    return {"losses": tuple(losses), "parameters": weights}


def rotate_ranks(args):
    values = args["batches"].values
    return {**args, "batches": PerRank((*values[1:], values[0]))}


ROTATED = Relation(
    name="ranks_rotated",
    says="It does not matter which rank runs out first.",
    change=rotate_ranks,
)


def three_batches():
    """Return two batches on rank 0 and one on rank 1; all states are 1, with a hidden value of 1/2."""

    def batch(*returns):
        return {"states": torch.ones(len(returns), 1), "returns": torch.tensor(returns)}

    args = {
        "hidden": torch.tensor([[math.atanh(0.5)]]),
        "head": torch.tensor([0.0]),
        "lr": 1.0,
        "batches": PerRank(([batch(4.0), batch(2.0)], [batch(2.0, 3.0)])),
    }
    # Step 1: d head = -2 * 1/2 * mean(4, 2, 3) = -3, and nothing for the hidden weight behind a head of 0.
    # Step 2: value 3/2, error -1/2: d head = -1/2, d hidden = 2 * -1/2 * 3 * (1 - 1/4) = -9/4.
    weights = {
        "hidden": torch.tensor([[math.atanh(0.5) + 2.25]], dtype=torch.float64),
        "head": torch.tensor([3.5], dtype=torch.float64),
    }
    result = {"losses": (29 / 3, 0.25), "parameters": weights}
    return Case(name="three_batches", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, [[3, randint(rng, 1, 2)], [1, 4, 2, randint(rng, 1, 3)]], relations=(ROTATED,))


def nothing_to_do(rng):
    return case("nothing_to_do", rng, [[], [randint(rng, 2, 4), 3]])


def four_ranks(rng):
    return case("four_ranks", rng, [[2, 1], [1, 4, 2], [3], [randint(rng, 2, 4), 3, 1]])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_batches()
    yield two_ranks(rng)
    yield nothing_to_do(rng)
    yield four_ranks(rng)

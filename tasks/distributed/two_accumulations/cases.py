"""The expected values are those of one process with all ranks' pairs, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank

WIDTH = 4


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, count):
    def pairs():
        rejected = torch.randn(randint(rng, 1, 4), WIDTH, generator=rng)
        # Half of the distance from the rejected ones, so that all margins have the same sign and no gradient vanishes.
        return {"chosen": 0.5 * rejected + 1.5, "rejected": rejected}

    args = {
        "hidden": torch.randn(3, WIDTH, generator=rng),
        "head": torch.randn(3, generator=rng),
        "lr": 0.5,
        "microbatches": PerRank(tuple([pairs() for _ in range(count)] for _ in range(world))),
    }
    return Case(name=name, args=args, world=world)


def expected(case: Case):
    """Return the results of one process with the pairs of all ranks."""
    args = case.args
    weights = {name: args[name].double().requires_grad_() for name in ("hidden", "head")}
    every = [pairs for own in args["microbatches"].values for pairs in own]
    scores = [
        (torch.cat([pairs[name] for pairs in every]).double() @ weights["hidden"].T).tanh() @ weights["head"]
        for name in ("chosen", "rejected")
    ]
    loss = (1 + (scores[1] - scores[0]).exp()).log().mean()
    loss.backward()
    after = {name: (weight - args["lr"] * weight.grad).detach() for name, weight in weights.items()}
    return {"loss": loss.item(), "parameters": after}


def four_pairs():
    """Return two microbatches of one pair on each rank; the head is 0, so every pair has probability 1/2."""
    nothing = torch.tensor([[0.0]])
    own = [{"chosen": torch.tensor([[1.0]]), "rejected": nothing} for _ in range(2)]
    args = {
        "hidden": torch.tensor([[math.atanh(0.5)]]),
        "head": torch.tensor([0.0]),
        "lr": 2.0,
        "microbatches": PerRank((own, own)),
    }
    # d head of a pair: -1/2 times the hidden value of 1/2. The mean over four equal pairs is -1/4.
    weights = {
        "hidden": torch.tensor([[math.atanh(0.5)]], dtype=torch.float64),
        "head": torch.tensor([0.5], dtype=torch.float64),
    }
    result = {"loss": math.log(2), "parameters": weights}
    return Case(name="four_pairs", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, randint(rng, 2, 3))


def four_ranks(rng):
    return case("four_ranks", rng, 4, 3)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield four_pairs()
    yield two_ranks(rng)
    yield four_ranks(rng)

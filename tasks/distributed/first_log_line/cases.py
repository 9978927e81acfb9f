"""The expected values are those of one process with all ranks' pairs, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank

WIDTH = 4


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, steps, log_every, ties=0):
    """Return a case in which the first `ties` pairs of each batch have features of 0, so their margin is exactly 0."""
    pairs = randint(rng, 3, 5)

    def batch():
        rejected = torch.randn(pairs, WIDTH, generator=rng)
        chosen = rejected + 0.3 + torch.randn(pairs, WIDTH, generator=rng)
        rejected[:ties] = chosen[:ties] = 0.0
        return {"chosen": chosen, "rejected": rejected}

    args = {
        "hidden": torch.randn(3, WIDTH, generator=rng),
        "head": torch.randn(3, generator=rng),
        "lr": 0.5,
        "log_every": log_every,
        "batches": PerRank(tuple([batch() for _ in range(steps)] for _ in range(world))),
    }
    return Case(name=name, args=args, world=world)


def expected(case: Case):
    """Return the results of one process with the pairs of all ranks; only rank 0 has a log."""
    args = case.args
    weights = {name: args[name].double() for name in ("hidden", "head")}
    logged = []
    for step, parts in enumerate(zip(*args["batches"].values, strict=True), start=1):
        weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
        chosen, rejected = (torch.cat([part[key] for part in parts]).double() for key in ("chosen", "rejected"))
        scores = [(rows @ weights["hidden"].T).tanh() @ weights["head"] for rows in (chosen, rejected)]
        margin = scores[0] - scores[1]
        loss = (1 + (-margin).exp()).log().mean()
        loss.backward()
        if step % args["log_every"] == 0:
            share = (margin > 0).double().mean()
            told = {"loss": loss.item(), "accuracy": share.item(), "margin": margin.mean().item()}
            logged.append({"step": step, **told})
        weights = {name: (weight - args["lr"] * weight.grad).detach() for name, weight in weights.items()}
    return _by_rank(case.world, logged, weights)


def _by_rank(world, logged, weights):
    rest = {"parameters": weights, "lines": 0}
    first = {"logged": tuple(logged), "parameters": weights, "lines": len(logged)}
    return PerRank((first, *(rest for _ in range(world - 1))))


def one_pair():
    """Return one step on one pair per rank; the hidden value of 1 is tanh(atanh(1/2)) = 1/2 and the head ln 9."""
    batches = tuple([{"chosen": torch.tensor([[chosen]]), "rejected": torch.tensor([[0.0]])}] for chosen in (1.0, -1.0))
    slope = math.atanh(0.5)
    args = {
        "hidden": torch.tensor([[slope]]),
        "head": torch.tensor([math.log(9)]),
        "lr": 2.0,
        "log_every": 1,
        "batches": PerRank(batches),
    }
    # The margins are ln 3 and -ln 3; the losses ln(4/3) and ln 4, their slopes -1/4 and -3/4.
    # d head: (-1/4 * 1/2 + 3/4 * 1/2) / 2 = 1/8. d hidden: (-1/4 * 3/4 ln 9 + 3/4 * 3/4 ln 9) / 2 = 3/16 ln 9.
    told = {"step": 1, "loss": math.log(16 / 3) / 2, "accuracy": 0.5, "margin": 0.0}
    weights = {
        "hidden": torch.tensor([[slope - 0.375 * math.log(9)]], dtype=torch.float64),
        "head": torch.tensor([math.log(9) - 0.25], dtype=torch.float64),
    }
    return Case(name="one_pair", args=args, world=2, visible=True, expected=_by_rank(2, [told], weights))


def two_ranks(rng):
    return case("two_ranks", rng, 2, 4, 2)


def four_ranks(rng):
    return case("four_ranks", rng, 4, randint(rng, 5, 6), 3)


def equal_scores(rng):
    return case("equal_scores", rng, 2, 2, 1, ties=1)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_pair()
    yield two_ranks(rng)
    yield four_ranks(rng)
    yield equal_scores(rng)

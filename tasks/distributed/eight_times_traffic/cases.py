"""The expected values are those of one process with all ranks' rows, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank

WIDTH = 4


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, counts, counts_graphs=False):
    """Return a case whose microbatches have these numbers of rows, in a different order on each rank."""

    def microbatches():
        sizes = [counts[place] for place in torch.randperm(len(counts), generator=rng).tolist()]
        return [
            {"states": torch.randn(size, WIDTH, generator=rng), "returns": 1 + torch.randn(size, generator=rng)}
            for size in sizes
        ]

    args = {
        "hidden": torch.randn(3, WIDTH, generator=rng),
        "head": torch.randn(3, generator=rng),
        "lr": 0.3,
        "counts_graphs": counts_graphs,
        "microbatches": PerRank(tuple(microbatches() for _ in range(world))),
    }
    return Case(name=name, args=args, world=world)


def expected(case: Case):
    """Return the results of one process with the rows of all ranks, and each rank's own loss."""
    args = case.args
    weights = {name: args[name].double().requires_grad_() for name in ("hidden", "head")}
    losses = []
    for own in args["microbatches"].values:
        states, returns = (torch.cat([part[name] for part in own]).double() for name in ("states", "returns"))
        losses.append((((states @ weights["hidden"].T).tanh() @ weights["head"]) - returns).square().mean())
    torch.stack(losses).mean().backward()
    after = {name: (weight - args["lr"] * weight.grad).detach() for name, weight in weights.items()}
    rest = {"parameters": after, "collectives_kept_low": True, "passes_kept_small": True}
    rest |= {"graphs_kept_low": True} if args["counts_graphs"] else {}
    return PerRank(tuple({"loss": loss.item(), **rest} for loss in losses))


def two_rows():
    """Return three microbatches of one row on each rank; the hidden values are 1/2 on rank 0 and -1/2 on rank 1."""
    own = [
        [{"states": torch.tensor([[state]]), "returns": torch.tensor([value])} for value in values]
        for state, values in ((1.0, (1.0, 2.0, 3.0)), (-1.0, (0.0, 0.0, 3.0)))
    ]
    args = {
        "hidden": torch.tensor([[math.atanh(0.5)]]),
        "head": torch.tensor([0.0]),
        "lr": 0.5,
        "counts_graphs": False,
        "microbatches": PerRank(tuple(own)),
    }
    # d head: of rank 0 -2 * 1/2 * mean(1, 2, 3) = -2, of rank 1 2 * 1/2 * mean(0, 0, 3) = 1; their mean is -1/2.
    weights = {
        "hidden": torch.tensor([[math.atanh(0.5)]], dtype=torch.float64),
        "head": torch.tensor([0.25], dtype=torch.float64),
    }
    rest = {"parameters": weights, "collectives_kept_low": True, "passes_kept_small": True}
    result = PerRank(({"loss": 14 / 3, **rest}, {"loss": 3.0, **rest}))
    return Case(name="two_rows", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, [1, 3, randint(rng, 2, 4)])


def four_ranks(rng):
    return case("four_ranks", rng, 4, [2, 1, 1, 3, randint(rng, 4, 5)])


def one_graph_at_a_time(rng):
    """Return a case that also counts the graphs in memory."""
    return case("one_graph_at_a_time", rng, 2, [2, 1, randint(rng, 3, 4)], counts_graphs=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_rows()
    yield two_ranks(rng)
    yield four_ranks(rng)
    yield one_graph_at_a_time(rng)

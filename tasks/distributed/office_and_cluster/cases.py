"""The expected values are those of one process with all ranks' rows, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank

WIDTH = 4
CLASSES = 3


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, steps):
    rows = randint(rng, 3, 6)

    def batch():
        return {
            "features": torch.randn(rows, WIDTH, generator=rng),
            "labels": torch.randint(0, CLASSES, (rows,), generator=rng),
        }

    args = {
        "hidden": torch.randn(5, WIDTH, generator=rng),
        "head": torch.randn(CLASSES, 5, generator=rng),
        "bias": torch.randn(CLASSES, generator=rng),
        "lr": 0.5,
        "batches": PerRank(tuple([batch() for _ in range(steps)] for _ in range(world))),
    }
    return Case(name=name, args=args, world=world)


def expected(case: Case):
    """Return the results of one process with the rows of all ranks."""
    weights = {name: case.args[name].double() for name in ("hidden", "head", "bias")}
    norms = []
    for parts in zip(*case.args["batches"].values, strict=True):
        weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
        features = torch.cat([part["features"] for part in parts]).double()
        labels = torch.cat([part["labels"] for part in parts])
        logits = (features @ weights["hidden"].T).tanh() @ weights["head"].T + weights["bias"]
        (logits.logsumexp(dim=1) - logits[torch.arange(len(labels)), labels]).mean().backward()
        norms.append(math.sqrt(sum(float(weight.grad.square().sum()) for weight in weights.values())))
        weights = {name: (weight - case.args["lr"] * weight.grad).detach() for name, weight in weights.items()}
    return {"norms": tuple(norms), "parameters": weights}


def two_steps():
    """Return two steps on one row per rank; the hidden values are 0, so that only the two classes' biases change."""
    row = torch.tensor([[0.0]])
    labels = ((0, 1), (1, 1))
    args = {
        "hidden": torch.tensor([[1.0]]),
        "head": torch.tensor([[1.0], [1.0]]),
        "bias": torch.tensor([math.log(3), 0.0]),
        "lr": 4 * math.log(3),
        "batches": PerRank(
            tuple([{"features": row, "labels": torch.tensor([label])} for label in own] for own in labels)
        ),
    }
    # Step 1: probabilities (3/4, 1/4); gradients (-1/4, 1/4) and (3/4, -3/4), their mean (1/4, -1/4).
    # The bias becomes (0, ln 3), the probabilities (1/4, 3/4), both gradients (1/4, -1/4).
    norm = math.sqrt(2) / 4
    weights = {
        "hidden": torch.tensor([[1.0]], dtype=torch.float64),
        "head": torch.tensor([[1.0], [1.0]], dtype=torch.float64),
        "bias": torch.tensor([-math.log(3), 2 * math.log(3)], dtype=torch.float64),
    }
    result = {"norms": (norm, norm), "parameters": weights}
    return Case(name="two_steps", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, randint(rng, 2, 3))


def four_ranks(rng):
    return case("four_ranks", rng, 4, 2)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_steps()
    yield two_ranks(rng)
    yield four_ranks(rng)

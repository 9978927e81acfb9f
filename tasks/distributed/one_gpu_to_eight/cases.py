"""The expected values are those of one process with all ranks' states, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation

WIDTH = 4
UNUSED = torch.ones(2, dtype=torch.float64)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, world, max_norm, size=1.0, lr=0.3, weight_decay=0.0, **more):
    rows = 3 + 2 * randint(rng, 0, 1)  # never the number of ranks
    args = {
        "hidden": size * torch.randn(3, WIDTH, generator=rng),
        "head": size * torch.randn(3, generator=rng),
        "lr": lr,
        "weight_decay": weight_decay,
        "max_norm": max_norm,
        "states": PerRank(tuple(torch.randn(rows, WIDTH, generator=rng) for _ in range(world))),
        "returns": PerRank(tuple(2 + torch.randn(rows, generator=rng) for _ in range(world))),
    }
    return Case(name=name, args=args, world=world, **more)


def expected(case: Case):
    """Return the results of one process with the states of all ranks."""
    args = case.args
    weights = {name: args[name].double().requires_grad_() for name in ("hidden", "head")}
    states, returns = (torch.cat(args[name].values).double() for name in ("states", "returns"))
    loss = sum(
        ((weights["hidden"] @ state).tanh() @ weights["head"] - value) ** 2
        for state, value in zip(states, returns, strict=True)
    ) / len(states)
    loss.backward()
    norm = math.sqrt(sum(float(weight.grad.square().sum()) for weight in weights.values()))
    scale = min(1.0, args["max_norm"] / (norm + 1e-6))
    steps = {name: scale * weight.grad + args["weight_decay"] * weight for name, weight in weights.items()}
    after = {name: (weight - args["lr"] * steps[name]).detach() for name, weight in weights.items()}
    after["unused"] = UNUSED  # an optimizer does not change a parameter without a gradient
    return {"loss": loss.item(), "norm": norm, "parameters": after, "lr": args["lr"]}


def rotate_ranks(args):
    per_rank = {name: x.values for name, x in args.items() if isinstance(x, PerRank)}
    return {**args, **{name: PerRank((*values[1:], values[0])) for name, values in per_rank.items()}}


ROTATED = Relation(
    name="ranks_rotated",
    says="It does not matter which rank holds which states.",
    change=rotate_ranks,
)


def two_states():
    """Return one state on each rank; hidden values are 1/2 and -1/2, the head is 0, so only the head has a gradient."""
    args = {
        "hidden": torch.tensor([[math.atanh(0.5)]]),
        "head": torch.tensor([0.0]),
        "lr": 0.1,
        "weight_decay": 0.0,
        "max_norm": 2.0,
        "states": PerRank((torch.tensor([[1.0]]), torch.tensor([[-1.0]]))),
        "returns": PerRank((torch.tensor([8.0]), torch.tensor([2.0]))),
    }
    # d head: (-2 * 8 * 1/2 + 2 * 2 * 1/2) / 2 = -3, clipped to -2 (except for the 1e-6 in clip_grad_norm_).
    weights = {
        "hidden": torch.tensor([[math.atanh(0.5)]], dtype=torch.float64),
        "head": torch.tensor([0.1 * 3 * 2 / (3 + 1e-6)], dtype=torch.float64),
        "unused": UNUSED,
    }
    result = {"loss": 34.0, "norm": 3.0, "parameters": weights, "lr": 0.1}
    return Case(name="two_states", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, 1e3, relations=(ROTATED,))


def clipped(rng):
    return case("clipped", rng, 2, 0.05 + 0.05 * randint(rng, 0, 2))


def four_ranks(rng):
    return case("four_ranks", rng, 4, 1e3)


def weight_decay(rng):
    return case("weight_decay", rng, 2, 1e3, weight_decay=0.2)


def tiny_gradients(rng):
    """Return gradients so small that the 1e-6 added to their norm matters."""
    return case("tiny_gradients", rng, 2, 1e-6, size=1e-4, lr=3e5)


def own_hash_seeds(rng):
    """Return a case in which a set lists the names of the parameters in a different order on each rank."""
    return case("own_hash_seeds", rng, 2, 1e3, has_own_hash_seeds=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_states()
    yield two_ranks(rng)
    yield clipped(rng)
    yield four_ranks(rng)
    yield weight_decay(rng)
    yield tiny_gradients(rng)
    yield own_hash_seeds(rng)

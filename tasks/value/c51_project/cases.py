"""Values are between the atoms, on them, and beyond both ends of the support."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, rows, support, gamma, reward):
    """Return transitions with rewards between -`reward` and `reward`; every third one ended its episode.

    The first three rewards are far from 0, so values beyond both ends of the support occur for every seed.
    """
    weights = rand(rng, rows, len(support), low=0.1, high=1.0) ** 3
    first = torch.tensor([0.8, 0.6, -0.8]) * reward
    return {
        "next_p": weights / weights.sum(dim=1, keepdim=True),
        "r": torch.cat([first, rand(rng, rows - 3, low=-reward, high=reward)]),
        "done": torch.arange(rows) % 3 == 1,
        "support": support,
        "gamma": gamma,
    }


def poison_ended(args):
    poison = torch.tensor([math.nan, 1e9, -math.inf]).to(args["next_p"].dtype)
    spread = poison[torch.arange(args["next_p"].shape[1]) % 3]
    return {**args, "next_p": torch.where(args["done"][:, None], spread, args["next_p"])}


def mirror(args):
    """Change the sign of all rewards and returns."""
    return {**args, "next_p": args["next_p"].flip(1), "r": -args["r"], "support": -args["support"].flip(0)}


def rescale(args):
    """Multiply all rewards and returns by 4."""
    return {**args, "r": 4 * args["r"], "support": 4 * args["support"]}


ENDED = Relation(
    name="ended_poisoned",
    says="Whatever the network says after an episode's end changes nothing.",
    change=poison_ended,
)
MIRRORED = Relation(
    name="signs_changed",
    says="With the opposite sign of all rewards and returns, the result is reversed.",
    change=mirror,
    expect=lambda out: {"target": out["target"].flip(1)},
)
RESCALED = Relation(
    name="rewards_and_support_times_four",
    says="Four times the rewards and returns give the same probabilities.",
    change=rescale,
)
REVERSED = Relation(
    name="rows_reversed",
    says="The transitions do not depend on each other.",
    change=lambda args: {**args, **{name: args[name].flip(0) for name in ("next_p", "r", "done")}},
    expect=lambda out: {"target": out["target"].flip(0)},
)


def by_hand(p, r, done, support, gamma):
    return {
        "next_p": torch.tensor(p),
        "r": torch.tensor(r),
        "done": torch.tensor(done),
        "support": torch.tensor(support),
        "gamma": gamma,
    }


def three_atoms():
    # 0.5 -> 0.1 and 0.1; 1.4 -> 0.18 and 0.12; 2.3 -> 0.5 at the last atom.
    args = by_hand([[0.2, 0.3, 0.5], [math.nan] * 3], [0.5, 1.0], [False, True], [0.0, 1.0, 2.0], 0.9)
    return Case("three_atoms", args, visible=True, expected=[[0.1, 0.28, 0.62], [0.0, 1.0, 0.0]])


def values_on_atoms():
    """Return a shift by one atom, so that every value is exactly on an atom."""
    args = by_hand([[0.2, 0.3, 0.5]], [0.5], [False], [0.0, 0.5, 1.0], 1.0)
    return Case("values_on_atoms", args, visible=True, expected=[[0.0, 0.2, 0.8]])


def beyond_the_ends():
    # In the third row, -1.25 goes to -1, and -0.75 is a quarter of the way from -1 to 0.
    p, r = [[0.2, 0.3, 0.5], [0.2, 0.3, 0.5], [0.5, 0.0, 0.5], [0.1, 0.1, 0.8]], [7.0, -7.0, -1.0, -3.0]
    args = by_hand(p, r, [False, False, False, True], [-1.0, 0.0, 1.0], 0.25)
    expected = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.875, 0.125, 0.0], [1.0, 0.0, 0.0]]
    return Case("beyond_the_ends", args, expected=expected)


def two_atoms():
    # 1 - 0.5 * 2 = 0 divides 0.4 equally, and 1 + 0.5 * 2 = 2 is the last atom. The end with 1 gives 1/4 and 3/4.
    args = by_hand([[0.4, 0.6], [0.5, 0.5]], [1.0, 1.0], [False, True], [-2.0, 2.0], 0.5)
    return Case("two_atoms", args, expected=[[0.2, 0.8], [0.25, 0.75]])


def no_future():
    """Return a discount factor of 0: all values are the reward."""
    args = by_hand([[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]], [0.5, -0.5], [False, False], [-2.0, 0.0, 2.0], 0.0)
    return Case("no_future", args, expected=[[0.0, 0.75, 0.25], [0.25, 0.75, 0.0]])


def random_rows(rng):
    """Return a case whose matrix is a view of transposed storage."""
    args = batch(rng, randint(rng, 6, 9), torch.linspace(-3.0, 4.5, 11), 0.9, 2.0)
    args["next_p"] = args["next_p"].T.contiguous().T
    return Case("random_rows", args, relations=(ENDED, MIRRORED, RESCALED, REVERSED))


def many_atoms(rng):
    args = batch(rng, randint(rng, 6, 9), torch.linspace(-10.0, 10.0, 51), 0.95, 3.0)
    return Case("many_atoms", args, relations=(ENDED, MIRRORED))


def large_rewards(rng):
    """Return many values beyond an end; in float32, the last atom's position is rounded to more than 23."""
    args = batch(rng, 9, torch.linspace(-7.0, 7.0, 24), 0.9, 4.0)
    args["r"][:2] = 20.0
    return Case("large_rewards", args, relations=(ENDED, REVERSED))


def small_spacing(rng):
    args = batch(rng, randint(rng, 6, 9), torch.linspace(0.0, 1.0, 21), 0.97, 0.4)
    return Case("small_spacing", args, relations=(ENDED,))


def network_requires_grad(rng):
    args = batch(rng, 6, torch.linspace(-2.0, 2.0, 9), 0.9, 1.0)
    return Case("network_requires_grad", args, constants=("next_p",))


def double_precision(rng):
    args = batch(rng, 6, torch.linspace(-2.0, 2.0, 9), 0.9, 1.0)
    floats = {name: args[name].double() for name in ("next_p", "r", "support")}
    return Case("double_precision", {**args, **floats})


def timed(rng):
    """Return a large batch for timing."""
    return Case("timed", batch(rng, 4096, torch.linspace(-10.0, 10.0, 51), 0.99, 2.0))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_atoms()
    yield values_on_atoms()
    yield beyond_the_ends()
    yield two_atoms()
    yield no_future()
    yield random_rows(rng)
    yield many_atoms(rng)
    yield large_rewards(rng)
    yield small_spacing(rng)
    yield network_requires_grad(rng)
    yield double_precision(rng)

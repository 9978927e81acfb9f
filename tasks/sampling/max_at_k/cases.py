"""Expected values come from quotients of integer binomial coefficients, which Python computes exactly."""

import math
from collections.abc import Iterator
from fractions import Fraction

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def expected(case):
    """Return the estimates, with weights from exact integer arithmetic."""
    rewards, k = case.args["rewards"], case.args["k"]
    count = rewards.shape[1]
    sets = math.comb(count, k)
    weights = [float(Fraction(math.comb(place, k - 1), sets)) for place in range(count)]
    ordered = rewards.double().sort(dim=1).values
    return (ordered * torch.tensor(weights, dtype=torch.float64)).sum(dim=1).to(rewards.dtype)


def spread_rewards(rng, prompts, samples):
    """Return distinct rewards of both signs, with a different level and spread for each prompt, in random order."""
    place = torch.arange(prompts)[:, None]
    steps = torch.arange(samples) + 0.5 * torch.rand(prompts, samples, generator=rng)
    order = torch.rand(prompts, samples, generator=rng).argsort(dim=1)
    return (1 + place) * (steps / samples).gather(1, order) - 0.75 - 0.25 * place


def long_tailed(rng, prompts, samples):
    """Return rewards like those of an exponential distribution, so that the largest ones are far apart."""
    quantiles = (torch.arange(samples) + 0.5) / samples
    order = torch.rand(prompts, samples, generator=rng).argsort(dim=1)
    return (1 + torch.arange(prompts)[:, None]) * -torch.log1p(-quantiles)[order] - 1


REVERSED = Relation(
    name="samples_reversed",
    says="The order of the samples does not matter.",
    change=lambda args: {**args, "rewards": args["rewards"].flip(1)},
)
PROMPTS_REVERSED = Relation(
    name="prompts_reversed",
    says="A prompt keeps its estimate, wherever it stands in the batch.",
    change=lambda args: {**args, "rewards": args["rewards"].flip(0)},
    expect=lambda out: {"estimate": out["estimate"].flip(0)},
)
SHIFTED = Relation(
    name="rewards_shifted",
    says="A constant added to all rewards is added to the estimate.",
    change=lambda args: {**args, "rewards": args["rewards"] + 0.5},
    expect=lambda out: {"estimate": out["estimate"] + 0.5},
)
DOUBLED = Relation(
    name="rewards_doubled",
    says="Twice the rewards give twice the estimate.",
    change=lambda args: {**args, "rewards": 2 * args["rewards"]},
    expect=lambda out: {"estimate": 2 * out["estimate"]},
)


def literal(name, rewards, k, result):
    return Case(name=name, args={"rewards": torch.tensor(rewards), "k": k}, expected=result, visible=True)


def by_hand():
    # The three sets have the maxima 0.5, 0.9 and 0.9.
    yield literal("two_of_three", [[0.5, 0.1, 0.9]], 2, [2.3 / 3])
    yield literal("one_of_three", [[0.5, 0.1, 0.9]], 1, [0.5])
    yield literal("three_of_three", [[0.5, 0.1, 0.9], [-1.0, -3.0, -2.0]], 3, [0.9, -1.0])
    # Of the ten sets, 4 have the maximum 5.0, 3 + 2 have the maximum 2.0, and one has the maximum -1.0.
    yield literal("equal_rewards", [[2.0, -1.0, 5.0, -4.0, 2.0]], 2, [(4 * 5.0 + 5 * 2.0 - 1.0) / 10])
    # With rewards 0 and 1, it is pass@k: 1 - C(7, 5) / C(10, 5).
    right_or_wrong = [[0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]]
    yield literal("right_or_wrong", right_or_wrong, 5, [1 - 21 / 252])
    yield literal("all_negative", [[-1.0, -5.0, -2.0]], 2, [(-1.0 - 1.0 - 2.0) / 3])
    yield literal("one_sample", [[0.25], [-2.0]], 1, [0.25, -2.0])


def few_samples(rng):
    args = {"rewards": spread_rewards(rng, randint(rng, 3, 5), randint(rng, 9, 14)), "k": randint(rng, 3, 4)}
    return Case("few_samples", args, relations=(REVERSED, PROMPTS_REVERSED, SHIFTED, DOUBLED))


def half_of_them(rng):
    count = randint(rng, 20, 30)
    args = {"rewards": spread_rewards(rng, randint(rng, 3, 5), count), "k": count // 2}
    return Case("half_of_them", args, relations=(REVERSED, SHIFTED))


def thousands(rng):
    """Return a number of samples whose binomial coefficients are far beyond the range of float64."""
    args = {"rewards": long_tailed(rng, 2, 4500), "k": 1500}
    return Case("thousands", args, relations=(PROMPTS_REVERSED,))


def few_of_thousands(rng):
    """Return a case that needs accurate weights: a third of the samples contribute to the estimate."""
    args = {"rewards": long_tailed(rng, 2, 3500), "k": 7}
    return Case("few_of_thousands", args)


def transposed(rng):
    """Return rewards as a view of storage in which the prompts are the last dimension."""
    args = {"rewards": spread_rewards(rng, 4, randint(rng, 9, 12)).T.contiguous().T, "k": 4}
    return Case("transposed", args)


def double_precision(rng):
    return Case("double_precision", {"rewards": spread_rewards(rng, 3, 12).double(), "k": 3})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield few_samples(rng)
    yield half_of_them(rng)
    yield thousands(rng)
    yield few_of_thousands(rng)
    yield transposed(rng)
    yield double_precision(rng)

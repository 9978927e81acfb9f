"""Levels and spreads differ between rewards and between groups; random rewards are multiples of 1/128."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def spread_rewards(rng, kinds, prompts, answers):
    """Return rewards whose level and spread differ between kinds and prompts, in a random order within each group."""
    kind, prompt = torch.arange(kinds)[:, None, None], torch.arange(prompts)[:, None]
    steps = 16 * torch.arange(answers) + torch.randint(0, 12, (kinds, prompts, answers), generator=rng)
    steps[:, :, 0] -= 16 + 16 * prompt[:, 0]
    order = torch.rand(kinds, prompts, answers, generator=rng).argsort(dim=2)
    return 0.5 * (kind - prompt) + 2.0**-kind * (1 + prompt) * steps.gather(2, order) / 32


def batch(rng, kinds=3):
    """Return a batch in which the last reward cannot tell the answers to the second prompt apart."""
    rewards = spread_rewards(rng, kinds, randint(rng, 3, 5), randint(rng, 4, 6))
    rewards[-1, 1] = 0.5
    return {"rewards": rewards, "weights": torch.tensor([1.0, 2.0, 0.75])[:kinds], "eps": 0.05}


def shift_groups(args):
    """Return the batch with a different constant added to each reward of each group."""
    kinds, prompts, _ = args["rewards"].shape
    shift = (torch.arange(kinds * prompts) % 5).reshape(kinds, prompts, 1) / 4
    return {**args, "rewards": args["rewards"] + shift}


REVERSED = Relation(
    name="answers_reversed",
    says="An answer keeps its advantage, wherever it stands.",
    change=lambda args: {**args, "rewards": args["rewards"].flip(1, 2)},
    expect=lambda out: {"adv": out["adv"].flip(0, 1)},
)
KINDS_REVERSED = Relation(
    name="rewards_reversed",
    says="The order of the reward functions does not matter.",
    change=lambda args: {**args, "rewards": args["rewards"].flip(0), "weights": args["weights"].flip(0)},
)
SHIFTED = Relation(
    name="groups_shifted",
    says="A constant added to one reward of all answers to a prompt changes nothing.",
    change=shift_groups,
)
NEGATED = Relation(
    name="reward_and_weight_negated",
    says="Changing the sign of a reward and of its weight changes nothing.",
    change=lambda args: {**args, "rewards": -args["rewards"], "weights": -args["weights"]},
)


def normalized(numbers, eps):
    """Return the numbers minus their mean, divided by their deviation plus eps; for the results computed by hand."""
    mean = sum(numbers) / len(numbers)
    spread = math.sqrt(sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1))
    return [(number - mean) / (spread + eps) for number in numbers]


def literal(name, rewards, weights, expected, **more):
    args = {"rewards": torch.tensor(rewards), "weights": torch.tensor(weights), **more}
    return Case(name=name, args=args, expected=expected, visible=True)


def two_rewards():
    """Return the statement's example."""
    rewards = [[1.0, 0.0, 0.0, 1.0], [0.0, 0.2, 0.2, 0.4]]
    sums = [sum(pair) for pair in zip(*(normalized(reward, 1e-4) for reward in rewards), strict=True)]
    return literal("two_rewards", [[reward] for reward in rewards], [1.0, 1.0], [normalized(sums, 1e-4)])


def same_sum_order():
    """Return two groups that get the same advantages if their summed rewards are normalized."""
    # Two different scores are one deviation, 1 / sqrt(2), apart from each other's mean by half of their distance.
    z = 0.5 / (math.sqrt(0.5) + 0.01)
    sums = [-z, z, -3 * z, 3 * z]
    a, b, c, d = normalized(sums, 0.01)
    rewards = [[[0.0, 1.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]]]
    return literal("same_sum_order", rewards, [1.0, 2.0], [[a, b], [c, d]], eps=0.01)


def equal_rewards(rng):
    """Return rewards that are equal in each group, and whose float32 mean differs from them."""
    numbers = torch.tensor([[1000.1, 333.7, 100.3], [2000.9, 77.7, 512.3]])
    rewards = numbers[:, torch.randperm(3, generator=rng), None].repeat(1, 1, 7)
    args = {"rewards": rewards, "weights": torch.tensor([1.0, 2.0])}
    return Case("equal_rewards", args, expected=[[0.0] * 7] * 3)


def single_answers():
    return literal("single_answers", [[[1.0], [0.0], [3.0]]], [2.0], [[0.0], [0.0], [0.0]])


def lone_answer():
    return literal("lone_answer", [[[1.0]], [[2.5]]], [1.0, 0.5], [[0.0]])


def one_reward(rng):
    args = {**batch(rng, 1), "weights": torch.tensor([0.5])}
    return Case("one_reward", args, relations=(REVERSED, SHIFTED))


def many_prompts(rng):
    return Case("many_prompts", batch(rng), relations=(REVERSED, KINDS_REVERSED, SHIFTED, NEGATED))


def signed_weights(rng):
    args = {**batch(rng), "weights": torch.tensor([1.5, -0.5, 0.0])}
    return Case("signed_weights", args, relations=(KINDS_REVERSED, NEGATED))


def transposed(rng):
    """Return rewards as a view of storage in which the reward functions are the last dimension."""
    args = batch(rng)
    args["rewards"] = args["rewards"].permute(1, 2, 0).contiguous().permute(2, 0, 1)
    return Case("transposed", args)


def double_precision(rng):
    args = batch(rng)
    return Case("double_precision", {**args, "rewards": args["rewards"].double(), "weights": args["weights"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_rewards()
    yield same_sum_order()
    yield equal_rewards(rng)
    yield single_answers()
    yield lone_answer()
    yield one_reward(rng)
    yield many_prompts(rng)
    yield signed_weights(rng)
    yield transposed(rng)
    yield double_precision(rng)

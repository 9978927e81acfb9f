"""Random rewards are multiples of 1/128, so both sides of a relation are computed exactly."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def group_ids(rng, sizes):
    """Return shuffled ids for groups of these sizes; some are negative, and no two differ only in sign."""
    ids = 1 + torch.randperm(20, generator=rng)[: len(sizes)]
    ids[1::2] *= -1
    ids[0] = -7 - 40
    together = ids.repeat_interleave(torch.tensor(sizes))
    return together[torch.randperm(len(together), generator=rng)]


def spread_rewards(rng, group_id):
    """Return rewards whose level and spread differ between groups; no group's rewards are all equal."""
    rewards = torch.zeros(len(group_id))
    for place, group in enumerate(group_id.unique()):
        members = (group_id == group).nonzero()[:, 0]
        steps = torch.randint(0, 64, (len(members),), generator=rng)
        steps[:2] = torch.tensor([0, 80])
        rewards[members] = place - 1.5 + (place + 1) * steps / 128
    return rewards


def batch(rng):
    sizes = [randint(rng, 3, 4), randint(rng, 5, 6), 2, randint(rng, 7, 9)]
    group_id = group_ids(rng, sizes)
    return {"rewards": spread_rewards(rng, group_id), "group_id": group_id, "eps": 0.05}


def reverse(args):
    return {**args, "rewards": args["rewards"].flip(0), "group_id": args["group_id"].flip(0)}


def shift_by_group(args):
    return {**args, "rewards": args["rewards"] + 0.5 * (args["group_id"] % 3)}


REVERSED = Relation(
    name="order_reversed",
    says="Each answer keeps its advantage, wherever it stands.",
    change=reverse,
    expect=lambda out: {"adv": out["adv"].flip(0)},
)
RENAMED = Relation(
    name="groups_renamed",
    says="Other names for the same groups change nothing.",
    change=lambda args: {**args, "group_id": 5 - 3 * args["group_id"]},
)
SHIFTED = Relation(
    name="groups_shifted",
    says="A constant added to all rewards of a group changes nothing.",
    change=shift_by_group,
)
DOUBLED = Relation(
    name="rewards_doubled",
    says="Without division, twice the rewards give twice the advantages.",
    change=lambda args: {**args, "rewards": 2 * args["rewards"]},
    expect=lambda out: {"adv": 2 * out["adv"]},
)

UNDIVIDED = Relation(
    name="undivided",
    says="Equal rewards have the advantage 0 without any division, too.",
    change=lambda args: {**args, "scale": "none"},
)
BY_BATCH = Relation(
    name="by_batch",
    says="Equal rewards have the advantage 0 when the deviation is that of the batch, too.",
    change=lambda args: {**args, "scale": "batch"},
)


def literal(name, rewards, group_id, expected, **args):
    inputs = {"rewards": torch.tensor(rewards), "group_id": torch.tensor(group_id), **args}
    return Case(name=name, args=inputs, expected=torch.tensor(expected, dtype=torch.float64), visible=True)


def half_solved():
    # Mean 0.5; the deviation is sqrt(4 * 0.25 / 3).
    a = 0.5 / (math.sqrt(1 / 3) + 0.01)
    return literal("half_solved", [1.0, 0.0, 0.0, 1.0], [3, 3, 3, 3], [a, -a, -a, a], eps=0.01)


def one_in_eight():
    # Mean 1/8; the squares sum to 49/64 + 7/64 = 7/8, the variance is 1/8.
    spread = math.sqrt(1 / 8) + 1e-4
    wanted = [-0.125 / spread] * 8
    wanted[5] = 0.875 / spread
    return literal("one_in_eight", [0.0] * 5 + [1.0] + [0.0] * 2, [0] * 8, wanted)


def group_of_one():
    a = 0.25 / (math.sqrt(1 / 12) + 1e-4)
    return literal("group_of_one", [0.5, 5.0, 0.0, 0.0, 0.5], [2, 9, 2, 2, 2], [a, 0.0, -a, -a, a])


def mixed_groups(rng):
    return Case(name="mixed_groups", args=batch(rng), relations=(REVERSED, RENAMED, SHIFTED))


def no_division(rng):
    return Case(name="no_division", args={**batch(rng), "scale": "none"}, relations=(DOUBLED, SHIFTED))


def batch_deviation(rng):
    return Case(name="batch_deviation", args={**batch(rng), "scale": "batch"}, relations=(REVERSED,))


def population_deviation(rng):
    return Case(name="population_deviation", args={**batch(rng), "unbiased": False})


def equal_rewards(rng):
    """Return groups of equal rewards whose computed float32 mean differs from the reward."""
    numbers, sizes = [1000.1, 333.7, 100.3, 2000.9, 77.7, 512.3], [3, 6, 7, 9, 11, 12]
    group_id = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    order = torch.randperm(len(group_id), generator=rng)
    args = {"rewards": torch.tensor(numbers)[group_id][order], "group_id": group_id[order]}
    expected = torch.zeros(len(order), dtype=torch.float64)
    return Case(name="equal_rewards", args=args, relations=(UNDIVIDED, BY_BATCH), expected=expected)


def lone_answer():
    """Return a batch of one answer, so that the batch's deviation is undefined as well."""
    return literal("lone_answer", [2.5], [4], [0.0], scale="batch")


def strange_ids():
    """Return three groups whose ids are equal without their sign or in float64, and a fourth group, all interleaved."""
    big = 2**53
    group_id = [big, -big, big + 1, 3, -big, big, 3, big + 1]
    rewards = [0.0, 5.0, 2.0, 1.0, 6.0, 1.0, 4.0, 6.0]
    return literal("strange_ids", rewards, group_id, [-0.5, -0.5, -2.0, -1.5, 0.5, 0.5, 1.5, 2.0], scale="none")


def nearly_equal():
    """Return one reward that differs from the others by 2**-28, which is not negligible next to an eps of 2**-28."""
    small = 2.0**-30
    # Mean 1 and deviation 2, in units of 2**-30; eps is 4 of them.
    wanted = [-1 / 6, 0.5, -1 / 6, -1 / 6]
    return literal("nearly_equal", [0.0, 4 * small, 0.0, 0.0], [0] * 4, wanted, eps=4 * small)


def large_level():
    """Return rewards whose mean is large compared with their spread; the means are exact in float32."""
    a, b = 3 / (math.sqrt(12) + 0.01), 1 / (math.sqrt(2) + 0.01)
    rewards = [10001.5, -20003.5, 10007.5, 10001.5, -20001.5, 10007.5]
    return literal("large_level", rewards, [1, 0, 1, 1, 0, 1], [-a, -b, a, -a, b, a], eps=0.01)


def double_precision(rng):
    args = batch(rng)
    return Case(name="double_precision", args={**args, "rewards": args["rewards"].double()})


def batch_population(rng):
    return Case(name="batch_population", args={**batch(rng), "scale": "batch", "unbiased": False})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield half_solved()
    yield one_in_eight()
    yield group_of_one()
    yield mixed_groups(rng)
    yield no_division(rng)
    yield batch_deviation(rng)
    yield population_deviation(rng)
    yield equal_rewards(rng)
    yield lone_answer()
    yield strange_ids()
    yield nearly_equal()
    yield large_level()
    yield double_precision(rng)
    yield batch_population(rng)

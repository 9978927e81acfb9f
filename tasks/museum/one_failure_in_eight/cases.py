"""Groups of eight in which the peers of one answer are equal, on numbers that binary fractions cannot represent."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

# In float32, the mean of seven of these numbers, or the mean of their squares, is rounded.
SHARED = (0.95, 0.35, 0.7, 0.3, 0.6, 0.15)
# The same in float64.
SHARED_DOUBLE = (0.4, 0.1, 0.8, 0.2)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rewards, valid=None, **more):
    valid = torch.ones_like(rewards, dtype=torch.bool) if valid is None else valid
    return Case(name=name, args={"rewards": rewards, "valid": valid}, **more)


def odd_groups(rng, shared, odd, dtype=torch.float32):
    """Return groups of eight: seven equal rewards, and one different reward at a random place."""
    rewards = torch.tensor(shared, dtype=dtype)[:, None].repeat(1, 8)
    for group, reward in enumerate(odd):
        rewards[group, randint(rng, 0, 7)] = reward
    return rewards


def poison(number):
    return lambda args: {**args, "rewards": args["rewards"].masked_fill(~args["valid"], number)}


INVALID = tuple(
    Relation(f"invalid_is_{name}", "The reward of an invalid answer does not matter.", poison(number))
    for name, number in (("nan", math.nan), ("large", 1e9))
)


def one_failure():
    """Return the statement's example."""
    rewards = torch.tensor([[0.0, *[0.95] * 7]])
    # The peers of a right answer: 0 once and 0.95 six times.
    mean = 0.95 * 6 / 7
    deviation = math.sqrt((mean**2 + 6 * (0.95 - mean) ** 2) / 6)
    expected = torch.tensor([[-0.95, *[(0.95 - mean) / deviation] * 7]], dtype=torch.float64)
    return case("one_failure", rewards, visible=True, expected=expected)


def odd_ones(rng):
    """Return groups with one worse or one better answer, and a group in which all are equal."""
    worse = odd_groups(rng, SHARED, [-0.5 - 0.1 * group for group in range(len(SHARED))])
    better = odd_groups(rng, SHARED, [1.5 + 0.1 * group for group in range(len(SHARED))])
    return case("odd_ones", torch.cat([worse, better, torch.full((1, 8), 0.75)]))


def two_failures(rng):
    """Return groups in which no answer's peers are equal."""
    rewards = odd_groups(rng, SHARED, [0.0] * len(SHARED))
    spare = (rewards != 0).float().argmax(dim=1)
    rewards[torch.arange(len(rewards)), spare] = -0.25
    return case("two_failures", rewards)


def all_different(rng):
    groups, size = randint(rng, 3, 5), randint(rng, 5, 9)
    return case("all_different", 2 * torch.randn(groups, size, generator=rng))


def invalid_answers(rng):
    """Return groups with invalid answers: in the first, equal peers remain; in the second, they do not."""
    rewards = torch.tensor(
        [
            [0.0, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 0.95, 7.0],
            [2.0, 0.35, 0.35, 0.35, 0.35, 0.35, 1.5, 0.35, 2.0],
            [0.5, 0.25, -1.0, 2.0, 1.25, -0.75, 0.125, 3.0, -2.0],
        ]
    )
    valid = torch.ones_like(rewards, dtype=torch.bool)
    valid[0, 8] = valid[1, 0] = valid[2, 2] = valid[2, 7] = False
    order = torch.randperm(9, generator=rng)
    return case("invalid_answers", rewards[:, order], valid[:, order], relations=INVALID)


def few_answers():
    """Return groups with two, one and no valid answers, and one with three of which two are equal."""
    rewards = torch.tensor([[0.25, 1.0, 9.0], [5.0, 9.0, 9.0], [9.0, 9.0, 9.0], [0.5, 0.5, 2.0]])
    valid = torch.tensor([[True, True, False], [True, False, False], [False, False, False], [True, True, True]])
    # Peers of the last group: (0.5, 2) twice, with mean 1.25 and deviation 1.5 / sqrt(2), and (0.5, 0.5).
    low = -0.75 / (1.5 / math.sqrt(2))
    expected = torch.tensor([[-0.75, 0.75, 0.0], [0.0] * 3, [0.0] * 3, [low, low, 1.5]], dtype=torch.float64)
    return case("few_answers", rewards, valid, expected=expected)


def close_rewards():
    """Return rewards that differ by multiples of 2^-11; every sum and every mean of four is exact in float32."""
    step = 2.0**-11
    rewards = torch.tensor([[1.0, 1.0, 1.0, 1 + step, 1 + 3 * step]])
    # Peers in steps: (0, 0, 1, 3) three times, (0, 0, 0, 3) and (0, 0, 0, 1).
    expected = torch.tensor([[*[-1 / math.sqrt(2)] * 3, 0.25 / 1.5, 2.75 / 0.5]], dtype=torch.float64)
    return case("close_rewards", rewards, expected=expected)


def double_precision(rng):
    return case("double_precision", odd_groups(rng, SHARED_DOUBLE, [0.0, 2.0, -1.0, 3.0], torch.float64))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_failure()
    yield odd_ones(rng)
    yield two_failures(rng)
    yield all_different(rng)
    yield invalid_answers(rng)
    yield few_answers()
    yield close_rewards()
    yield double_precision(rng)

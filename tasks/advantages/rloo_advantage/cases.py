"""Rewards are multiples of 1/64, and their level differs between prompts, so that a batch baseline is detected."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, prompts, answers):
    """Return rewards of which some are equal within each row; the level rises from row to row."""
    steps = torch.randint(0, 192, (prompts, answers), generator=rng)
    steps[:, 0], steps[:, 1], steps[:, -1] = 161, 1, 1
    order = torch.randperm(answers, generator=rng)
    return 2 * torch.arange(prompts)[:, None] - 1 + steps[:, order] / 64


def raise_first(args):
    rewards = args["rewards"].clone()
    rewards[:, 0] += 1
    return {"rewards": rewards}


def after_raise(out):
    """Return the advantages after the first reward of each row rises by 1: its own baseline does not change."""
    change = torch.full_like(out["adv"], -1 / (out["adv"].shape[1] - 1))
    change[:, 0] = 1
    return {"adv": out["adv"] + change}


PERMUTED = Relation(
    name="answers_reversed",
    says="An answer keeps its advantage, wherever it stands in its row.",
    change=lambda args: {"rewards": args["rewards"].flip(1)},
    expect=lambda out: {"adv": out["adv"].flip(1)},
)
ALONE = Relation(
    name="one_prompt_alone",
    says="A prompt's advantages do not depend on the other prompts of the batch.",
    change=lambda args: {"rewards": args["rewards"][1:2].clone()},
    expect=lambda out: {"adv": out["adv"][1:2]},
)
SHIFTED = Relation(
    name="rewards_shifted",
    says="A constant added to all rewards of a prompt changes nothing.",
    change=lambda args: {"rewards": args["rewards"] + torch.arange(len(args["rewards"]))[:, None] / 4},
)
DOUBLED = Relation(
    name="rewards_doubled",
    says="Twice the rewards give twice the advantages.",
    change=lambda args: {"rewards": 2 * args["rewards"]},
    expect=lambda out: {"adv": 2 * out["adv"]},
)
RAISED = Relation(
    name="one_reward_raised",
    says="A larger reward of one answer raises its own advantage by as much: it is not part of its own baseline.",
    change=raise_first,
    expect=after_raise,
)


def literal(name, rewards, expected):
    return Case(name=name, args={"rewards": torch.tensor(rewards)}, expected=expected, visible=True)


def by_hand():
    # The others of a 1 have the mean 1/3, those of a 0 the mean 2/3.
    a = 2 / 3
    yield literal("half_solved", [[1.0, 0.0, 0.0, 1.0]], [[a, -a, -a, a]])
    # The baseline of the correct answer is 0, and that of each wrong one is one success in seven.
    yield literal("one_in_eight", [[0.0] * 5 + [1.0] + [0.0] * 2], [[-1 / 7] * 5 + [1.0] + [-1 / 7] * 2])
    yield literal("pairs", [[2.0, 5.0], [-1.0, -1.5], [0.25, 0.25]], [[-3.0, 3.0], [0.5, -0.5], [0.0, 0.0]])
    yield literal("single_answers", [[0.5], [-2.0], [3.0]], [[0.5], [-2.0], [3.0]])


def many_prompts(rng):
    rewards = batch(rng, randint(rng, 4, 6), randint(rng, 7, 9))
    return Case(name="many_prompts", args={"rewards": rewards}, relations=(PERMUTED, ALONE, SHIFTED, DOUBLED, RAISED))


def transposed(rng):
    """Return as many prompts as answers per prompt, as a view of transposed storage."""
    size = randint(rng, 5, 7)
    rewards = batch(rng, size, size).T.contiguous().T
    return Case(name="transposed", args={"rewards": rewards}, relations=(ALONE, RAISED))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield many_prompts(rng)
    yield transposed(rng)

"""The best two scores of a round are either exactly equal or clearly different, so rounding decides nothing."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

GAP = 0.02


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def choices(contexts, rewards, alpha, lam):
    """Return the chosen arms, and the smallest nonzero gap between the best two scores of a round, in float64."""
    contexts, rewards = contexts.double(), rewards.double()
    _, count, size = contexts.shape
    inverse = [torch.eye(size, dtype=torch.float64) / lam for _ in range(count)]
    sums = [torch.zeros(size, dtype=torch.float64) for _ in range(count)]
    arms, gap = [], math.inf
    for x, reward in zip(contexts, rewards, strict=True):
        score = torch.stack(
            [x[k] @ inverse[k] @ sums[k] + alpha * (x[k] @ inverse[k] @ x[k]).sqrt() for k in range(count)]
        )
        best = score.topk(min(2, count)).values
        if best[0] > best[-1]:
            gap = min(gap, float(best[0] - best[-1]))
        arm = int(score.argmax())
        shrunk = inverse[arm] @ x[arm]
        inverse[arm] = inverse[arm] - torch.outer(shrunk, shrunk) / (1 + x[arm] @ shrunk)
        sums[arm] = sums[arm] + reward[arm] * x[arm]
        arms.append(arm)
    return arms, gap


def log(rng, alpha, lam, rounds=16, count=4, size=3, is_shared=False):
    """Return a log in which each arm is chosen at least twice, and the first choices do not try all arms in order."""
    while True:
        contexts = rand(rng, rounds, 1 if is_shared else count, size).expand(rounds, count, size).clone()
        truth = rand(rng, count, size)
        rewards = (contexts * truth).sum(dim=2) + rand(rng, rounds, count, low=-0.3, high=0.3) + 0.3
        arms, gap = choices(contexts, rewards, alpha, lam)
        if gap > GAP and min(map(arms.count, range(count))) >= 2 and arms[:count] != list(range(count)):
            return {"contexts": contexts, "rewards": rewards, "alpha": alpha, "lam": lam}


def with_other_rewards(args):
    """Replace the rewards of the arms that were not chosen."""
    arms, _ = choices(args["contexts"], args["rewards"], args["alpha"], args["lam"])
    chosen = torch.zeros_like(args["rewards"], dtype=torch.bool)
    chosen[torch.arange(len(arms)), torch.tensor(arms)] = True
    return {**args, "rewards": torch.where(chosen, args["rewards"], 7.0 - args["rewards"])}


def in_other_units(args):
    return {**args, "contexts": 2 * args["contexts"], "lam": 4 * args["lam"]}


UNSEEN = Relation(
    name="unseen_rewards_replaced",
    says="The rewards of the arms that were not chosen change nothing.",
    change=with_other_rewards,
)
REORDERED = Relation(
    name="arms_renumbered",
    says="The numbering of the arms does not matter if no scores are equal.",
    change=lambda args: {**args, "contexts": args["contexts"].flip(1), "rewards": args["rewards"].flip(1)},
    expect=lambda out: {
        "arms": out["scores"].shape[1] - 1 - out["arms"],
        "scores": out["scores"].flip(1),
        "theta": out["theta"].flip(0),
    },
)
UNITS = Relation(
    name="other_units",
    says="Contexts in half the unit, with a penalty of four times the weight, give the same scores.",
    change=in_other_units,
    expect=lambda out: {**out, "theta": out["theta"] / 2},
)


def example():
    """Return the statement's example."""
    args = {
        "contexts": torch.tensor([[[1.0, 0.0], [0.0, 0.5]], [[1.0, 1.0], [0.0, 2.0]]]),
        "rewards": torch.tensor([[1.0, 0.0], [0.0, 0.5]]),
        "alpha": 1.0,
    }
    # The matrix of arm 0 is diag(2, 1) in round 1: 0.5 + sqrt(1/2 + 1). Then arm 1 has diag(1, 5) and (0, 1).
    expected = ([0, 1], [[1.0, 0.5], [0.5 + math.sqrt(1.5), 2.0]], [[0.5, 0.0], [0.0, 0.2]])
    return Case("example", args, visible=True, expected=expected)


def equal_scores():
    """Return three arms that always have the same context, so that arms without data have equal scores."""
    args = {
        "contexts": torch.tensor([[1.0, 0.0]]).expand(4, 3, 2).clone(),
        "rewards": torch.tensor([[-1.0, 2.0, 2.0], [2.0, -4.0, 2.0], [2.0, 2.0, 4.0], [5.0, 5.0, 5.0]]),
        "alpha": 2.0,
        "lam": 4.0,
    }
    # An arm without data scores 2 / sqrt(4) = 1. With one reward r, its matrix is 5: r / 5 + 2 / sqrt(5). Arm 2 then
    # gets the reward 4 and leads, and another reward of 5 gives the coefficient 9 / 6.
    first, second, third = (r / 5 + 2 / math.sqrt(5) for r in (-1, -4, 4))
    scores = [[1.0, 1.0, 1.0], [first, 1.0, 1.0], [first, second, 1.0], [first, second, third]]
    theta = [[-0.2, 0.0], [-0.8, 0.0], [1.5, 0.0]]
    return Case("equal_scores", args, visible=True, expected=([0, 1, 2, 2], scores, theta))


def zero_context():
    """Return a round in which an arm with a zero context beats an arm with bad rewards."""
    args = {
        "contexts": torch.tensor([[[3.0], [0.0]], [[3.0], [0.0]], [[0.0], [-2.0]]]),
        "rewards": torch.tensor([[-6.0, 1.0], [1.0, 8.0], [1.0, 5.0]]),
        "alpha": 0.5,
        "lam": 1.0,
    }
    # Arm 0: 0.5 * 3, then -1.8 * 3 + 0.5 * 3 / sqrt(10). Arm 1 learns nothing from a zero context: 0, 0, 0.5 * 2.
    scores = [[1.5, 0.0], [-5.4 + 1.5 / math.sqrt(10), 0.0], [0.0, 1.0]]
    return Case("zero_context", args, expected=([0, 1, 1], scores, [[-1.8], [-2.0]]))


def many_rounds(rng):
    """Return a log without `lam`, whose tensors are views of transposed storage."""
    args = log(rng, alpha=0.8, lam=1.0)
    args["contexts"] = args["contexts"].permute(2, 1, 0).contiguous().permute(2, 1, 0)
    args["rewards"] = args["rewards"].T.contiguous().T
    del args["lam"]
    return Case("many_rounds", args, relations=(REORDERED,))


def weak_penalty(rng):
    return Case("weak_penalty", log(rng, alpha=0.7, lam=0.25), relations=(UNSEEN, UNITS))


def strong_penalty(rng):
    return Case("strong_penalty", log(rng, alpha=1.5, lam=4.0), relations=(UNSEEN, REORDERED, UNITS))


def shared_context(rng):
    """Return a log in which the arms of a round have the same context, as a visitor's features would be."""
    return Case("shared_context", log(rng, alpha=1.2, lam=0.5, is_shared=True), relations=(UNSEEN,))


def no_exploration(rng):
    """Return a log with a bonus of 0: arms without data have a score of exactly 0."""
    return Case("no_exploration", log(rng, alpha=0.0, lam=0.5, rounds=24), relations=(UNSEEN,))


def double_precision(rng):
    args = log(rng, alpha=0.9, lam=2.0)
    return Case(
        "double_precision", {**args, "contexts": args["contexts"].double(), "rewards": args["rewards"].double()}
    )


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield equal_scores()
    yield zero_context()
    yield many_rounds(rng)
    yield weak_penalty(rng)
    yield strong_penalty(rng)
    yield shared_context(rng)
    yield no_exploration(rng)
    yield double_precision(rng)

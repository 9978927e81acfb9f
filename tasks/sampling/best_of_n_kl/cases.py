"""The results by hand follow from the probability that all n draws miss the better answers."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def divergence(*pairs):
    """Return the KL divergence for pairs of probabilities, first under best-of-n, then under the policy."""
    return sum(kept * math.log(kept / drawn) for kept, drawn in pairs if kept)


def by_hand(name, n, probs, rewards, kl, bound):
    probs, rewards, kl = (torch.tensor(values, dtype=torch.float64) for values in (probs, rewards, kl))
    args = {"n": n, "probs": probs, "rewards": rewards}
    return Case(name=name, args=args, expected=(kl, bound), visible=True)


def literals():
    even, two = [[0.5, 0.5]], [[0.0, 1.0]]
    yield by_hand("one_draw", 1, even, two, [0.0], 0.0)
    yield by_hand("two_answers", 4, even, two, [divergence((15 / 16, 0.5), (1 / 16, 0.5))], math.log(4) - 3 / 4)
    # The tied answers are returned with a probability of 0.75 together, in a ratio of 2 to 3.
    tied = divergence((0.3, 0.2), (0.45, 0.3), (0.25, 0.5))
    yield by_hand("two_tied", 2, [[0.2, 0.5, 0.3]], [[1.0, 0.0, 1.0]], [tied], math.log(2) - 1 / 2)
    yield by_hand("all_tied", 16, [[0.1, 0.6, 0.3]], [[-2.0, -2.0, -2.0]], [0.0], math.log(16) - 15 / 16)
    # 0.75^3 is 27 / 64.
    impossible = divergence((37 / 64, 0.25), (27 / 64, 0.75))
    yield by_hand(
        "impossible_answers", 3, [[0.75, 0.0, 0.25, 0.0]], [[0.0, 5.0, 1.0, -1.0]], [impossible], math.log(3) - 2 / 3
    )
    # 0.7^10000 is 0 in float64, so the better answer is always returned. In the second row, that is the likelier one.
    certain = [-math.log(0.3), -math.log(0.7)]
    yield by_hand(
        "ten_thousand", 10_000, [[0.3, 0.7], [0.3, 0.7]], [[2.0, 1.0], [-2.0, -1.0]], certain, math.log(1e4) - 0.9999
    )
    # In float64, 1 + 1e-9 is greater than 1, so these rewards are not tied. 0.5^2 is 1 / 4.
    near = divergence((1 / 4, 0.5), (3 / 4, 0.5))
    yield by_hand("near_rewards", 2, even, [[1.0, 1.0 + 1e-9]], [near], math.log(2) - 1 / 2)


def policy(rng, prompts, answers):
    """Return probabilities that differ by up to a factor of about 20, and distinct rewards in random order."""
    weights = (3 * torch.rand(prompts, answers, generator=rng, dtype=torch.float64)).exp()
    ranks = torch.stack([torch.randperm(answers, generator=rng) for _ in range(prompts)])
    return {"probs": weights / weights.sum(dim=1, keepdim=True), "rewards": ranks.double() / 4 - 1}


RESCALED = Relation(
    name="rewards_rescaled",
    says="A strictly increasing function of the rewards changes nothing.",
    change=lambda args: {**args, "rewards": 4 * args["rewards"] + 3},
)
REORDERED = Relation(
    name="answers_reversed",
    says="The order of the answers does not matter.",
    change=lambda args: {**args, "probs": args["probs"].flip(1), "rewards": args["rewards"].flip(1)},
)


def random_batch(rng):
    args = {"n": randint(rng, 3, 6), **policy(rng, 4, randint(rng, 5, 8))}
    return Case(name="random_batch", args=args, relations=(RESCALED, REORDERED))


def few_levels(rng):
    """Return rewards with only three values, each of which occurs several times."""
    args = policy(rng, 3, 9)
    args["rewards"] = (args["rewards"] * 4).round() % 3
    return Case(name="few_levels", args={"n": randint(rng, 3, 6), **args}, relations=(RESCALED, REORDERED))


def many_answers(rng):
    """Return so many answers that the divergence is close to its bound, except for a prompt with only five rewards."""
    args = {"n": randint(rng, 6, 9), **policy(rng, 3, 300)}
    args["rewards"][1] = (4 * args["rewards"][1]).round() % 5
    return Case(name="many_answers", args=args)


def rare_best(rng):
    """Return a best answer that the policy hardly ever gives."""
    args = policy(rng, 3, 6)
    best = args["rewards"].argmax(dim=1, keepdim=True)
    probs = args["probs"].scatter(1, best, 0.0)
    probs = (1 - 1e-7) * probs / probs.sum(dim=1, keepdim=True)
    args["probs"] = probs.scatter(1, best, 1e-7)
    return Case(name="rare_best", args={"n": randint(rng, 2000, 3000), **args})


def transposed(rng):
    """Return tensors that are views of storage in which the answers come first."""
    args = {name: tensor.t().contiguous().t() for name, tensor in policy(rng, 3, 7).items()}
    return Case(name="transposed", args={"n": randint(rng, 4, 7), **args})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield random_batch(rng)
    yield few_levels(rng)
    yield many_answers(rng)
    yield rare_best(rng)
    yield transposed(rng)

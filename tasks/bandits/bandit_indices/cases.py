"""Each random batch has arms without pulls, arms that never paid or always paid, and a clearly best arm per bandit."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=0.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high, *shape):
    return torch.randint(low, high + 1, shape, generator=rng)


def index_of(mean, pulls, total):
    """Return one UCB1 index, for the results computed by hand."""
    return mean + math.sqrt(2 * math.log(total) / pulls)


def is_clear(wins, pulls):
    """Return whether common mistakes change the greedy choice in some bandit, and a single arm is best in each.

    The best arm must sometimes differ from the one with the most wins, the most pulls and the largest index.
    """
    mean = wins / pulls.clamp(min=1)
    best = mean.topk(2, dim=1).values
    arm = mean.argmax(dim=1)
    index = mean + (2 * pulls.sum(dim=1, keepdim=True).log() / pulls.clamp(min=1)).sqrt()
    index = torch.where(pulls > 0, index, math.inf)
    others = (wins.argmax(dim=1), pulls.argmax(dim=1), index.argmax(dim=1), (1 + wins).div(2 + pulls).argmax(dim=1))
    return bool((best[:, 0] - best[:, 1] > 0.01).all()) and all(bool((arm != other)[::2].any()) for other in others)


def counts(rng, bandits, arms):
    """Return wins and pulls, shuffled within each bandit.

    One arm of each bandit has few pulls, and it always paid in the even bandits. Another one has 0 to 2 pulls. All arms
    of bandit 3 pay less than half of the time.
    """
    while True:
        pulls = randint(rng, 5, 60, bandits, arms)
        pulls[:, 0] = randint(rng, 1, 3, bandits)
        pulls[:, -1] = torch.arange(bandits) % 3
        rates = rand(rng, bandits, arms, low=0.1, high=0.8)
        rates[3] /= 2
        wins = (pulls * rates).floor().long()
        wins[::2, 0] = pulls[::2, 0]
        wins[1::2, 0] = 0
        wins[:, -1] = 0
        order = torch.rand(bandits, arms, generator=rng).argsort(dim=1)
        wins, pulls = wins.gather(1, order), pulls.gather(1, order)
        if is_clear(wins, pulls):
            return wins, pulls


def batch(rng, bandits=8, arms=5, eps=0.3):
    """Return a batch in which every fourth bandit explores: bandit 1 the last arm, and bandit 5 the greedy one."""
    greedy = [0, arms - 1]
    while greedy[1] == arms - 1:
        wins, pulls = counts(rng, bandits, arms)
        greedy = (wins / pulls.clamp(min=1)).argmax(dim=1)
    explores = torch.arange(bandits) % 4 == 1
    u = torch.where(explores, rand(rng, bandits, low=0.0, high=0.9 * eps), rand(rng, bandits, low=1.1 * eps))
    arm = (greedy + randint(rng, 1, arms - 1, bandits)) % arms
    arm[1], arm[5] = arms - 1, greedy[5]
    return {
        "wins": wins,
        "pulls": pulls,
        "eps": eps,
        "u": u,
        "v": (arm + rand(rng, bandits, low=0.6, high=0.8)) / arms,
    }


REVERSED = Relation(
    name="bandits_reversed",
    says="The order of the bandits does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: x.flip(0) for name, x in out.items()},
)
ALONE = Relation(
    name="one_bandit_alone",
    says="The result for a bandit does not depend on the other bandits.",
    change=lambda args: {name: x[1:2].clone() if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: x[1:2] for name, x in out.items()},
)
FAILURES = Relation(
    name="wins_and_losses_exchanged",
    says="If wins and losses change places, the parameters of each posterior do too.",
    change=lambda args: {**args, "wins": args["pulls"] - args["wins"]},
    expect=lambda out: {"posterior": out["posterior"].flip(2)},
)


def example():
    """Return the statement's example."""
    args = {
        "wins": torch.tensor([[5, 56, 4], [2, 0, 0]]),
        "pulls": torch.tensor([[10, 80, 10], [2, 2, 0]]),
        "eps": 0.1,
        "u": torch.tensor([0.5, 0.05]),
        "v": torch.tensor([0.9, 0.5]),
    }
    index = [
        [index_of(0.5, 10, 100), index_of(0.7, 80, 100), index_of(0.4, 10, 100)],
        [index_of(1.0, 2, 4), index_of(0.0, 2, 4), math.inf],
    ]
    posterior = [[[6.0, 6.0], [57.0, 25.0], [5.0, 7.0]], [[3.0, 1.0], [1.0, 3.0], [1.0, 1.0]]]
    return Case("example", args, visible=True, expected=(index, [1, 1], posterior))


def no_pulls():
    """Return a bandit whose arms have no pulls, and one with a single pull, whose logarithm is 0."""
    args = {
        "wins": torch.tensor([[0, 0], [0, 1]]),
        "pulls": torch.tensor([[0, 0], [0, 1]]),
        "eps": 0.1,
        "u": torch.tensor([0.7, 0.7]),
        "v": torch.tensor([0.75, 0.25]),
    }
    index = [[math.inf, math.inf], [math.inf, 1.0]]
    posterior = [[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [2.0, 1.0]]]
    return Case("no_pulls", args, visible=True, expected=(index, [0, 1], posterior))


def equal_fractions():
    """Return bandits in which several arms have the largest fraction, but never arm 0 in the first one."""
    args = {
        "wins": torch.tensor([[1, 2, 3, 1], [0, 0, 0, 0], [4, 1, 4, 2]]),
        "pulls": torch.tensor([[4, 4, 6, 2], [9, 3, 1, 3], [8, 2, 16, 4]]),
        "eps": 0.2,
        "u": torch.tensor([0.9, 0.3, 0.6]),
        "v": torch.tensor([0.1, 0.4, 0.9]),
    }
    index = [
        [index_of(mean, pulls, total) for mean, pulls in row]
        for total, row in (
            (16, [(0.25, 4), (0.5, 4), (0.5, 6), (0.5, 2)]),
            (16, [(0.0, 9), (0.0, 3), (0.0, 1), (0.0, 3)]),
            (30, [(0.5, 8), (0.5, 2), (0.25, 16), (0.5, 4)]),
        )
    ]
    posterior = [
        [[2.0, 4.0], [3.0, 3.0], [4.0, 4.0], [2.0, 2.0]],
        [[1.0, 10.0], [1.0, 4.0], [1.0, 2.0], [1.0, 4.0]],
        [[5.0, 5.0], [2.0, 2.0], [5.0, 13.0], [3.0, 3.0]],
    ]
    return Case("equal_fractions", args, expected=(index, [1, 0, 0], posterior))


def never_explores(rng):
    """Return an exploration rate of 0 and draws that include 0: epsilon-greedy is greedy."""
    args = batch(rng)
    args["u"][:4] = 0.0
    return Case("never_explores", {**args, "eps": 0.0}, relations=(REVERSED, ALONE))


def always_explores(rng):
    """Return an exploration rate of 1, with one draw of exactly 0, and one that chooses the greedy arm."""
    args = batch(rng, bandits=6, arms=6)
    args["v"] = (torch.arange(6) + rand(rng, 6, low=0.6, high=0.8)) / 6
    args["v"][0] = 0.0
    args["v"][3] = ((args["wins"][3] / args["pulls"][3].clamp(min=1)).argmax() + 0.7) / 6
    return Case("always_explores", {**args, "eps": 1.0}, relations=(REVERSED,))


def one_arm(rng):
    """Return bandits with a single arm: there is nothing to choose."""
    pulls = randint(rng, 3, 40, 5, 1)
    wins = (pulls * rand(rng, 5, 1, low=0.2, high=0.8)).ceil().long()
    u = torch.tensor([0.1, 0.9, 0.2, 0.8, 0.3])
    args = {"wins": wins, "pulls": pulls, "eps": 0.5, "u": u, "v": rand(rng, 5, low=0.1, high=0.4)}
    return Case("one_arm", args)


def many_bandits(rng):
    """Return tensors that are views of transposed storage."""
    args = batch(rng, bandits=12, arms=5)
    args["wins"], args["pulls"] = (args[name].T.contiguous().T for name in ("wins", "pulls"))
    return Case("many_bandits", args, relations=(REVERSED, ALONE, FAILURES))


def long_run(rng):
    """Return the counts of a long run."""
    args = batch(rng, bandits=8, arms=4)
    return Case("long_run", {**args, "wins": 200 * args["wins"], "pulls": 200 * args["pulls"]}, relations=(FAILURES,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield no_pulls()
    yield equal_fractions()
    yield never_explores(rng)
    yield always_explores(rng)
    yield one_arm(rng)
    yield many_bandits(rng)
    yield long_run(rng)

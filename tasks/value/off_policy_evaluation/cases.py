"""Rewards depend on the action, and the model's predictions are wrong by different amounts for different actions."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def log_of(rng, visitors, actions):
    """Return a log in which the new policy prefers the actions with high rewards, and one action is never chosen.

    Every sixth visitor was shown the action that the new policy never chooses.
    """
    action = torch.arange(visitors) % (actions - 1)
    action[5::6] = actions - 1
    target = rand(rng, visitors, actions, low=0.5, high=1.5) * torch.arange(actions, 0, -1)
    target[:, -1] = 0
    rewards = 3.0 - action + rand(rng, visitors, low=-0.5, high=0.5)
    q_hat = 2.0 - 0.5 * torch.arange(actions) + rand(rng, visitors, actions, low=-0.5, high=0.5)
    q_hat[:, -1] = torch.tensor([math.nan, 1e6, -1e6, math.inf]).repeat(visitors)[:visitors]
    return {
        "target_probs": target / target.sum(dim=1, keepdim=True),
        "logged_probs": rand(rng, visitors, low=0.1, high=0.3),
        "actions": action,
        "rewards": rewards,
        "q_hat": q_hat,
    }


def renumbered(args):
    """Number the actions in reverse order."""
    last = args["q_hat"].shape[1] - 1
    flipped = {name: args[name].flip(1) for name in ("target_probs", "q_hat")}
    return {**args, **flipped, "actions": last - args["actions"]}


def shifted(args):
    return {**args, "rewards": args["rewards"] + 1, "q_hat": args["q_hat"] + 1}


REVERSED = Relation(
    name="visitors_reversed",
    says="The order of the visitors does not matter.",
    change=lambda args: {name: value.flip(0) for name, value in args.items()},
)
RENUMBERED = Relation(
    name="actions_renumbered",
    says="The numbers of the actions do not matter.",
    change=renumbered,
)
REPEATED = Relation(
    name="log_repeated",
    says="Logging every visitor twice changes nothing.",
    change=lambda args: {name: torch.cat([value, value]) for name, value in args.items()},
)
DOUBLED = Relation(
    name="rewards_doubled",
    says="Twice the rewards and predictions give twice the estimates.",
    change=lambda args: {**args, "rewards": 2 * args["rewards"], "q_hat": 2 * args["q_hat"]},
    expect=lambda out: {name: 2 * value for name, value in out.items()},
)
SHIFTED = Relation(
    name="rewards_shifted",
    says="A constant added to all rewards and predictions is added to snips and dr; ips has no such property.",
    change=shifted,
    expect=lambda out: {"snips": out["snips"] + 1, "dr": out["dr"] + 1},
)


def literal(name, target, logged, actions, rewards, q_hat, expected):
    args = {
        "target_probs": torch.tensor(target),
        "logged_probs": torch.tensor(logged),
        "actions": torch.tensor(actions),
        "rewards": torch.tensor(rewards),
        "q_hat": torch.tensor(q_hat),
    }
    return Case(name, args, visible=True, expected=expected)


def by_hand():
    # The weight is 0.5 and the predicted value is 0.4 * 0.5 + 0.6 * 0.7 = 0.62.
    yield literal("one_visitor", [[0.4, 0.6]], [0.8], [0], [1.0], [[0.5, 0.7]], (0.5, 1.0, 0.62 + 0.25))
    # The weights are 2, 0, 1 and 1/3, the predicted values 0.4, 0.3, 0.42 and 0.17.
    target = [[0.5, 0.5], [0.0, 1.0], [0.2, 0.8], [0.9, 0.1]]
    q_hat = [[0.6, 0.2], [math.nan, 0.3], [0.5, 0.4], [0.1, 0.8]]
    four = (0.4 + 0.3 + 0.42 + 0.17 + 2 * 0.4 - 0.4 + 0.2 / 3) / 4
    logged, actions, rewards = [0.25, 0.5, 0.8, 0.3], [0, 0, 1, 1], [1.0, 1.0, 0.0, 1.0]
    yield literal("four_visitors", target, logged, actions, rewards, q_hat, ((2 + 1 / 3) / 4, 0.7, four))
    # A deterministic policy, which agrees with the log on the first and the last visitor: their weights are 4 and 2.
    certain = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    known = [[math.nan, 2.0, math.nan], [1.0, math.nan, math.nan], [math.nan, math.nan, 0.5]]
    estimates = ((4 * 3.0 + 2 * 1.0) / 3, 14 / 6, (2.0 + 1.0 + 0.5 + 4 * 1.0 + 2 * 0.5) / 3)
    yield literal("deterministic", certain, [0.25, 0.7, 0.5], [1, 1, 2], [3.0, 5.0, 1.0], known, estimates)
    estimates = (0.0, 0.0, (2.0 + 1.0 + 0.5) / 3)
    yield literal("no_agreement", certain, [0.25, 0.7, 0.5], [0, 1, 1], [3.0, 5.0, 1.0], known, estimates)
    # The weights are 2 and 0.5.
    pair = [[0.8, 0.2], [0.3, 0.7]]
    zeros = [[0.0, 0.0], [0.0, 0.0]]
    yield literal("model_of_zeros", pair, [0.4, 0.6], [0, 0], [1.5, -2.0], zeros, (1.0, 0.8, 1.0))
    # The rewards equal their predictions, so only the predicted values count: 0.8 * 1.5 + 0.2 and -0.6 + 0.7 * 4.
    exact = [[1.5, 1.0], [-2.0, 4.0]]
    yield literal("exact_model", pair, [0.4, 0.6], [0, 0], [1.5, -2.0], exact, (1.0, 0.8, (1.4 + 2.2) / 2))


def many_visitors(rng):
    args = log_of(rng, randint(rng, 24, 36), randint(rng, 4, 5))
    return Case("many_visitors", args, relations=(REVERSED, RENUMBERED, REPEATED, DOUBLED, SHIFTED))


def rare_actions(rng):
    """Return a log in which some actions were chosen with a tiny probability, so that their weights are large."""
    args = log_of(rng, randint(rng, 24, 36), 4)
    args["logged_probs"][::4] = args["logged_probs"][::4] / 100
    return Case("rare_actions", args, relations=(REVERSED, RENUMBERED, DOUBLED))


def negative_rewards(rng):
    args = log_of(rng, randint(rng, 24, 36), 4)
    args["rewards"] = args["rewards"] - 4
    return Case("negative_rewards", args, relations=(REVERSED, REPEATED))


def transposed(rng):
    """Return two-dimensional tensors that are views of transposed storage."""
    args = log_of(rng, randint(rng, 24, 36), 4)
    views = {name: args[name].T.contiguous().T for name in ("target_probs", "q_hat")}
    return Case("transposed", {**args, **views}, relations=(DOUBLED,))


def double_precision(rng):
    args = log_of(rng, randint(rng, 24, 36), 4)
    args = {name: value.double() if value.is_floating_point() else value for name, value in args.items()}
    return Case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield many_visitors(rng)
    yield rare_actions(rng)
    yield negative_rewards(rng)
    yield transposed(rng)
    yield double_precision(rng)

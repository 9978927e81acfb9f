"""Gradients are those of an expected reward, computed in float64 and rounded, which is exact for rare actions too."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def gradient_of(logits, rewards, legal):
    """Return the gradient of the expected reward with respect to the logits, and 1 for illegal actions."""
    probs = logits.double().masked_fill(~legal, -math.inf).softmax(dim=1)
    rewards = rewards.double().masked_fill(~legal, 0.0)
    grad = probs * (rewards - (probs * rewards).sum(dim=1, keepdim=True))
    return grad.masked_fill(~legal, 1.0).to(logits.dtype)


def batch(rng, rows=5, actions=6, dtype=torch.float32, has_illegal=True):
    """Return policies with probabilities of at least about 0.01 and different illegal actions in each row."""
    logits = rand(rng, rows, actions, low=-1.5, high=1.5).to(dtype)
    rewards = rand(rng, rows, actions, low=-1.0, high=1.0) + 3.0 * (
        torch.arange(actions) == randint(rng, 0, actions - 1)
    )
    legal = torch.ones(rows, actions, dtype=torch.bool)
    if has_illegal:
        legal = torch.rand(rows, actions, generator=rng).argsort(dim=1) >= 2
        legal[0] = True
    return {"logits": logits, "grad": gradient_of(logits, rewards, legal), "legal": legal}


def poison_illegal(args):
    poison = torch.tensor([math.nan, 1e9, -1e9, math.inf])
    spread = poison[torch.arange(args["legal"].numel()).reshape(args["legal"].shape) % 4]
    poisoned = {name: torch.where(args["legal"], args[name], spread.to(args[name])) for name in ("logits", "grad")}
    return {**args, **poisoned}


POISONED = Relation(
    name="illegal_actions_poisoned",
    says="NaN, infinity, 1e9 and -1e9 at illegal actions change nothing.",
    change=poison_illegal,
)
SHIFTED = Relation(
    name="logits_shifted",
    says="A constant that is added to all logits changes nothing.",
    change=lambda args: {**args, "logits": args["logits"] + 0.5},
)
DOUBLED = Relation(
    name="gradients_doubled",
    says="Twice the gradient gives twice the natural gradient and four times the rate.",
    change=lambda args: {**args, "grad": 2 * args["grad"]},
    expect=lambda out: {"nat": 2 * out["nat"], "rate": 4 * out["rate"]},
)
REVERSED = Relation(
    name="actions_reversed",
    says="The order of the actions does not matter.",
    change=lambda args: {name: x.flip(1) for name, x in args.items()},
    expect=lambda out: {**out, "nat": out["nat"].flip(1)},
)


def three_actions():
    """Return the statement's example."""
    args = {
        "logits": torch.tensor([[0.5, 0.3, 0.2]]).log(),
        "grad": torch.tensor([[0.2, -0.18, -0.02]]),
        "legal": torch.ones(1, 3, dtype=torch.bool),
    }
    # The ratios are 0.4, -0.6 and -0.1, with a mean of -0.1. The rate is 0.1 + 0.09.
    return Case("three_actions", args, visible=True, expected=([[0.5, -0.5, 0.0]], [0.19]))


def illegal_actions():
    """Return the example's policy with two illegal actions, a row with one legal action, and one with two."""
    low, high = math.log(0.25), math.log(0.75)
    args = {
        "logits": torch.tensor(
            [[9.0, math.log(0.5), math.log(0.3), 0.0, math.log(0.2)], [0.0] * 5, [1.0, low, 2.0, high, 3.0]]
        ),
        "grad": torch.tensor(
            [[5.0, 0.2, -0.18, 3.0, -0.02], [1.0, 2.0, 0.0, 1.0, 3.0], [1.0, 0.375, 1.0, -0.375, 1.0]]
        ),
        "legal": torch.tensor([[0, 1, 1, 0, 1], [0, 0, 1, 0, 0], [0, 1, 0, 1, 0]], dtype=torch.bool),
    }
    # The ratios of the last row are 1.5 and -0.5, with a mean of 0.5.
    nat = [[0.0, 0.5, -0.5, 0.0, 0.0], [0.0] * 5, [0.0, 1.0, 0.0, -1.0, 0.0]]
    return Case("illegal_actions", args, visible=True, relations=(POISONED,), expected=(nat, [0.19, 0.0, 0.75]))


def all_legal(rng):
    """Return tensors that are views of transposed storage."""
    args = batch(rng, has_illegal=False)
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return Case("all_legal", args, relations=(SHIFTED, DOUBLED, REVERSED))


def some_legal(rng):
    return Case("some_legal", batch(rng, rows=6, actions=7), relations=(POISONED, SHIFTED, DOUBLED, REVERSED))


def equal_probabilities(rng):
    """Return policies whose actions are all equally likely."""
    args = batch(rng)
    logits = torch.full_like(args["logits"], 2.0)
    rewards = rand(rng, *logits.shape, low=-2.0, high=2.0)
    return Case("equal_probabilities", {**args, "logits": logits, "grad": gradient_of(logits, rewards, args["legal"])})


def uneven_sums(rng):
    """Return policies with an action of about e^-44. The first policy's gradients do not sum to exactly 0.

    The logits are multiples of 1/4, so that their differences have no rounding error.
    """
    while True:
        logits = (4 * rand(rng, 4, 5, low=-1.0, high=1.0)).round() / 4
        logits[:, 1] = -44.0
        logits[1, 3] = -20.0
        legal = torch.ones(4, 5, dtype=torch.bool)
        legal[2, 4] = False
        rewards = rand(rng, 4, 5, low=-1.0, high=1.0)
        rewards[:, 1] = 3.0
        grad = gradient_of(logits, rewards, legal)
        if min(abs(float(x[0].sum())) for x in (grad, grad.double())) > 1e-9:
            return {"logits": logits, "grad": grad, "legal": legal}


def rare_actions(rng):
    return Case("rare_actions", uneven_sums(rng))


def large_logits(rng):
    """Return logits near 1000 and near -1000, whose exponentials overflow or vanish."""
    args = batch(rng, rows=4)
    logits = (4 * args["logits"]).round() / 4 + torch.tensor([1000.0, -1000.0, 500.0, -500.0])[:, None]
    rewards = rand(rng, *logits.shape, low=-2.0, high=2.0)
    return Case("large_logits", {**args, "logits": logits, "grad": gradient_of(logits, rewards, args["legal"])})


def double_precision(rng):
    return Case("double_precision", batch(rng, dtype=torch.float64), relations=(POISONED,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_actions()
    yield illegal_actions()
    yield all_legal(rng)
    yield some_legal(rng)
    yield equal_probabilities(rng)
    yield rare_actions(rng)
    yield large_logits(rng)
    yield double_precision(rng)

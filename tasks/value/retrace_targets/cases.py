"""Ratios are drawn on both sides of 1, and the values of actions differ enough that a wrong action shows."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def three(**more):
    """Return the statement's example; state 0 has values that no target depends on."""
    return {
        "q": torch.tensor([[2.0, 3.0], [0.4, 0.6], [1.0, 0.6], [0.5, 0.1]]),
        "probs": torch.tensor([[0.5, 0.5], [0.5, 0.5], [0.25, 0.75], [0.5, 0.5]]),
        "behav_probs": torch.tensor([0.5, 1.0, 0.5]),
        "actions": torch.tensor([0, 0, 1]),
        "r": torch.tensor([1.0, 0.0, 1.0]),
        "discount": torch.tensor([0.9, 0.9, 0.9]),
        "lam": 1.0,
        **more,
    }


def trajectory(rng, steps, lam, gamma=0.95, every=7):
    """Return a trajectory with an end every few steps, but not at its last step.

    Its ratios are alternately well below and well above 1.
    """
    choices = randint(rng, 3, 5)
    weights = rand(rng, steps + 1, choices, low=0.6, high=1.4)
    probs = weights / weights.sum(dim=1, keepdim=True)
    actions = torch.randint(0, choices, (steps,), generator=rng)
    is_above = (torch.arange(steps) + randint(rng, 0, 1)) % 2 == 0
    ratio = torch.where(is_above, rand(rng, steps, low=1.6, high=2.5), rand(rng, steps, low=0.5, high=0.7))
    discount = rand(rng, steps, low=gamma - 0.04, high=gamma)
    discount[every - 2 : -1 : every] = 0.0
    return {
        "q": rand(rng, steps + 1, choices, low=-1.0, high=3.0),
        "probs": probs,
        "behav_probs": probs[torch.arange(steps), actions] / ratio,
        "actions": actions,
        "r": rand(rng, steps, low=0.5, high=2.0),
        "discount": discount,
        "lam": lam,
    }


def forbid(args, fill):
    """Return the arguments with one action more, which has probability 0 and these values."""
    fill = torch.tensor(fill).to(args["q"].dtype)[torch.arange(len(args["q"])) % len(fill), None]
    q = torch.cat([fill, args["q"]], dim=1)
    probs = torch.cat([torch.zeros_like(fill), args["probs"]], dim=1)
    return {**args, "q": q, "probs": probs, "actions": args["actions"] + 1}


def reverse_actions(args):
    """Number the actions in the opposite order."""
    last = args["q"].shape[1] - 1
    return {**args, "q": args["q"].flip(1), "probs": args["probs"].flip(1), "actions": last - args["actions"]}


FORBIDDEN = Relation(
    name="forbidden_action_added",
    says="One more action that has probability 0 and the values NaN, 1e9 and -inf changes nothing.",
    change=lambda args: forbid(args, [math.nan, 1e9, -math.inf]),
)
RENUMBERED = Relation(
    name="actions_renumbered",
    says="The numbering of the actions does not matter.",
    change=reverse_actions,
)
DOUBLED = Relation(
    name="rewards_and_values_doubled",
    says="Twice the rewards and values give twice the targets.",
    change=lambda args: {**args, "r": 2 * args["r"], "q": 2 * args["q"]},
    expect=lambda out: {"targets": 2 * out["targets"]},
)
FIRST_VALUES = Relation(
    name="first_values_changed",
    says="The values of the first state change nothing, because the own value of a step cancels.",
    change=lambda args: {**args, "q": torch.cat([args["q"][:1] + 1, args["q"][1:]])},
)


def three_steps():
    # 1 + 0.9 * 0.3 = 1.27, then 0.9 * (0.7 + 1.27 - 0.6) = 1.233, then 1 + 0.9 * (0.5 + 0.5 * (1.233 - 0.4)).
    return Case("three_steps", three(), visible=True, relations=(FORBIDDEN,), expected=[1.82485, 1.233, 1.27])


def half_lambda():
    # 0.9 * (0.7 + 0.5 * 0.67) = 0.9315, then 1 + 0.9 * (0.5 + 0.25 * 0.5315) = 1.5695875.
    return Case("half_lambda", three(lam=0.5), expected=[1.5695875, 0.9315, 1.27])


def no_traces():
    """Return the example with lambda 0: one-step targets with the expected value."""
    return Case("no_traces", three(lam=0.0), visible=True, expected=[1.45, 0.63, 1.27])


def end_midway():
    args = three(discount=torch.tensor([0.9, 0.0, 0.9]))
    # The second step's target is its reward, 0; the first: 1 + 0.9 * (0.5 + 0.5 * (0 - 0.4)) = 1.27.
    return Case("end_midway", args, visible=True, expected=[1.27, 0.0, 1.27])


def action_never_taken_now():
    """Return a step whose action the current policy never takes, and one that the behavior policy hardly ever took."""
    args = three(
        probs=torch.tensor([[0.5, 0.5], [0.0, 1.0], [0.25, 0.75], [0.5, 0.5]]),
        behav_probs=torch.tensor([0.5, 0.5, 1e-39]),
    )
    # The trace ends at the second step, whose expected value is 0.6: 1 + 0.9 * 0.6.
    return Case("action_never_taken_now", args, expected=[1.54, 1.233, 1.27])


def single_step():
    args = {
        "q": torch.tensor([[5.0, 7.0], [-1.0, 3.0]]),
        "probs": torch.tensor([[0.5, 0.5], [0.75, 0.25]]),
        "behav_probs": torch.tensor([0.25]),
        "actions": torch.tensor([1]),
        "r": torch.tensor([2.0]),
        "discount": torch.tensor([0.5]),
        "lam": 0.9,
    }
    # The policy does not prefer the action with the larger value: 0.75 * -1 + 0.25 * 3 = 0.
    return Case("single_step", args, expected=[2.0])


def many_steps(rng):
    """Return a case whose matrices are views of transposed storage."""
    args = trajectory(rng, randint(rng, 24, 30), 1.0)
    args |= {name: args[name].T.contiguous().T for name in ("q", "probs")}
    return Case("many_steps", args, relations=(FORBIDDEN, RENUMBERED, DOUBLED, FIRST_VALUES))


def smaller_lambda(rng):
    args = trajectory(rng, randint(rng, 16, 20), 0.8)
    return Case("smaller_lambda", args, relations=(RENUMBERED, DOUBLED))


def illegal_actions(rng):
    """Return a trajectory in which one action is illegal in every state."""
    args = forbid(trajectory(rng, randint(rng, 16, 20), 0.9), [-math.inf])
    return Case("illegal_actions", args, relations=(RENUMBERED,))


def long_trajectory(rng):
    """Return a trajectory so long that the product of all trace coefficients underflows in float32."""
    return Case("long_trajectory", trajectory(rng, 300, 0.9, every=400))


def networks_require_grad(rng):
    args = trajectory(rng, randint(rng, 8, 12), 0.9)
    return Case("networks_require_grad", args, constants=("q", "probs"))


def double_precision(rng):
    args = trajectory(rng, randint(rng, 8, 12), 0.9)
    floats = {name: x.double() for name, x in args.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    return Case("double_precision", {**args, **floats})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_steps()
    yield half_lambda()
    yield no_traces()
    yield end_midway()
    yield action_never_taken_now()
    yield single_step()
    yield many_steps(rng)
    yield smaller_lambda(rng)
    yield illegal_actions(rng)
    yield long_trajectory(rng)
    yield networks_require_grad(rng)
    yield double_precision(rng)

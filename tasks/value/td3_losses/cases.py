"""Target actions are near both bounds, and draws of noise far beyond its limit occur on both sides."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def two_critics(rng, states, dims, units=4):
    """Return weights of two similar critics, whose values rise with every action dimension.

    The first critic is lower where the first state variable is negative.
    """
    first = rand(rng, states + dims, 1 + units, low=-0.25, high=0.25)
    first[states:, 0] = rand(rng, dims, low=2.2, high=2.8)
    second = first + rand(rng, states + dims, 1 + units, low=-0.05, high=0.05)
    first[0, 0], second[0, 0] = 1.5, -1.5
    return first, second


def networks(rng, states, dims):
    """Return weights of the six networks; the actors' actions can be near either bound."""
    critics, target_critics = two_critics(rng, states, dims), two_critics(rng, states, dims)
    return {
        "actor": rand(rng, states, dims, low=0.4, high=0.6),
        "critic_1": critics[0],
        "critic_2": critics[1],
        "target_actor": rand(rng, states, dims, low=0.7, high=0.9),
        "target_critic_1": target_critics[0],
        "target_critic_2": target_critics[1],
    }


def batch(rng, rows, step, states=3, dims=2, **more):
    """Return transitions of which every fourth ended its episode; the state variables have alternating signs.

    In even rows, the target actor's action is near the upper bound, and in odd rows near the lower one.
    """
    sign = torch.where(torch.arange(rows) % 2 == 0, 1.0, -1.0)[:, None]
    draws = torch.tensor(
        [(-3.2, -0.6), (3.5, 1.1), (0.5, 0.9), (-0.4, 4.0), (3.3, -3.4), (3.2, -3.6), (-0.7, 1.2), (-3.3, 3.1)]
    )
    low, high = torch.tensor([-0.5, -2.0])[:dims], torch.tensor([1.5, 0.4])[:dims]
    return {
        **networks(rng, states, dims),
        "s": sign * rand(rng, rows, states, low=0.5, high=1.5),
        "a": low + (high - low) * rand(rng, rows, dims, low=0.1, high=0.9),
        "r": rand(rng, rows, low=4.0, high=6.0),
        "s_next": sign * rand(rng, rows, states, low=0.3, high=1.5),
        "done": torch.arange(rows) % 4 == 2,
        "noise": draws[torch.arange(rows) % 8, :dims] + rand(rng, rows, dims, low=-0.05, high=0.05),
        "low": low,
        "high": high,
        "gamma": 0.9,
        "step": step,
        **more,
    }


def poison_ended(args):
    return {**args, "s_next": torch.where(args["done"][:, None], math.nan, args["s_next"])}


def limit_noise(args):
    """Limit the draws so that 0.2 times each draw is at most 0.5, the default limit."""
    return {**args, "noise": args["noise"].clamp(-2.5, 2.5)}


def exchange_targets(args):
    return {**args, "target_critic_1": args["target_critic_2"], "target_critic_2": args["target_critic_1"]}


ENDED = Relation(
    name="ended_poisoned",
    says="Whatever is stored as the next state after an episode's end changes nothing.",
    change=poison_ended,
)
LIMITED = Relation(
    name="noise_limited_before",
    says="Draws beyond the limit have the same effect as draws at the limit.",
    change=limit_noise,
)
EXCHANGED = Relation(
    name="target_critics_exchanged",
    says="The two target critics are treated in the same way.",
    change=exchange_targets,
)


def three_transitions(step):
    return {
        "actor": torch.tensor([[0.0]]),
        "critic_1": torch.tensor([[1.0], [1.0]]),
        "critic_2": torch.tensor([[2.0], [-1.0]]),
        "target_actor": torch.tensor([[0.0]]),
        "target_critic_1": torch.tensor([[1.0], [2.0]]),
        "target_critic_2": torch.tensor([[0.0], [4.0]]),
        "s": torch.ones(3, 1),
        "a": torch.tensor([[0.2], [0.5], [0.6]]),
        "r": torch.tensor([1.0, 0.0, 2.0]),
        "s_next": torch.tensor([[1.0], [1.0], [math.nan]]),
        "done": torch.tensor([False, False, True]),
        "noise": torch.tensor([[3.0], [-1.0], [0.5]]),
        "low": torch.tensor([0.0]),
        "high": torch.tensor([0.8]),
        "gamma": 0.9,
        "step": step,
    }


def results_by_hand(updates_actor):
    """Return the results for three_transitions.

    The smoothed actions are 0.8 (0.6 is limited to 0.5, and 0.9 to 0.8) and 0.2, so the targets are
    1 + 0.9 * min(2.6, 3.2), 0.9 * min(1.4, 0.8) and 2. The errors of the critics, which are s + a and 2s - a, follow.
    The slope of a mean squared error is 2 / 3 times the sum of error * (s, a).
    """
    errors = [(1.2 - 3.34, 1.5 - 0.72, 1.6 - 2.0), (1.8 - 3.34, 1.5 - 0.72, 1.4 - 2.0)]
    actions = (0.2, 0.5, 0.6)
    slopes = [
        torch.tensor(
            [[2 / 3 * sum(row)], [2 / 3 * sum(error * action for error, action in zip(row, actions, strict=True))]]
        )
        for row in errors
    ]
    return {
        "critic_loss": torch.tensor(sum(error**2 for row in errors for error in row) / 3),
        "updates_actor": updates_actor,
        "actor_loss": torch.tensor(-1.4 * updates_actor),
        "critic_1_slope": slopes[0],
        "critic_2_slope": slopes[1],
        # The action is 0.4 + 0.4 * tanh(weight * s), and the first critic's slope in it is 1.
        "actor_slope": torch.tensor([[-0.4 * updates_actor]]),
        "leaks": torch.zeros(7),
    }


def example():
    return Case("example", three_transitions(2), visible=True, expected=results_by_hand(True))


def odd_step():
    return Case("odd_step", three_transitions(3), visible=True, expected=results_by_hand(False))


def first_step(rng):
    return Case("first_step", batch(rng, randint(rng, 8, 12), 1), relations=(ENDED,))


def actor_step(rng):
    """Return a case whose tensors are transposed or every second entry of longer ones."""
    args = batch(rng, randint(rng, 12, 16), 6)
    for name in ("s", "a", "s_next", "noise"):
        args[name] = args[name].T.contiguous().T
    for name in ("r", "done"):
        args[name] = args[name].repeat_interleave(2)[::2]
    return Case("actor_step", args, relations=(ENDED, LIMITED, EXCHANGED))


def one_transition(rng):
    """Return a single transition with a next action whose dimensions are pushed across different bounds."""
    args = batch(rng, 1, 4, noise=torch.tensor([[-3.0, 3.0]]), a=torch.tensor([[0.9, -1.2]]))
    weights = {"target_actor": torch.tensor([[-0.8, 0.8], [0.0, 0.0], [0.0, 0.0]])}
    s_next = torch.cat([rand(rng, 1, 1, low=1.0, high=1.5), rand(rng, 1, 2)], dim=1)
    return Case("one_transition", {**args, **weights, "s_next": s_next})


def wide_noise(rng):
    """Return settings of the noise that differ from the defaults."""
    args = batch(rng, randint(rng, 8, 12), 2, noise_std=0.5, noise_clip=0.8)
    return Case("wide_noise", args, relations=(EXCHANGED,))


def rare_actor_updates(rng):
    return Case("rare_actor_updates", batch(rng, randint(rng, 8, 12), 4, delay=3))


def every_step(rng):
    return Case("every_step", batch(rng, randint(rng, 8, 12), 5, delay=1), relations=(LIMITED,))


def double_precision(rng):
    """Return a batch in float64: both losses have this dtype as well."""
    args = batch(rng, randint(rng, 8, 12), 2)
    floats = {name: x.double() for name, x in args.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    return Case("double_precision", {**args, **floats})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield odd_step()
    yield first_step(rng)
    yield actor_step(rng)
    yield one_transition(rng)
    yield wide_noise(rng)
    yield rare_actor_updates(rng)
    yield every_step(rng)
    yield double_precision(rng)

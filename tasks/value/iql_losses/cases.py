"""Advantages have both signs and unequal sizes, because a symmetric set gives the same expectile loss for every tau."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, rows, **more):
    """Return transitions whose advantages are small and of both signs, and every fourth of which ended its episode."""
    low, high = torch.tensor([(0.8, 1.2), (-0.7, -0.4), (0.2, 0.4), (-1.6, -1.3), (0.5, 0.6)])[torch.arange(rows) % 5].T
    advantage = rand(rng, rows, low=low, high=high)
    v = rand(rng, rows, low=-1.0, high=2.0)
    next_v = rand(rng, rows, low=0.5, high=2.0)
    done = torch.arange(rows) % 4 == 2
    r = rand(rng, rows, low=0.5, high=1.5)
    error = torch.tensor([0.4, -0.8, 1.1])[torch.arange(rows) % 3] + rand(rng, rows, low=-0.1, high=0.1)
    return {
        "q": r + 0.9 * next_v * ~done - error,
        "q_target": v + advantage,
        "v": v,
        "next_v": next_v,
        "r": r,
        "done": done,
        "logp_a": rand(rng, rows, low=-3.0, high=-0.5),
        "gamma": 0.9,
        **more,
    }


def case(name, args, **more):
    return Case(name=name, args=args, grads=("q", "v", "logp_a"), **more)


def poison_ended(args):
    poison = torch.tensor([math.nan, 1e9, math.inf]).to(args["q"].dtype)[torch.arange(len(args["q"])) % 3]
    return {**args, "next_v": torch.where(args["done"], poison, args["next_v"])}


def shift_values(args):
    """Add 2 to the values of the state, but not to those of the next state."""
    return {**args, "v": args["v"] + 2, "q_target": args["q_target"] + 2}


ENDED = Relation(
    name="ended_poisoned",
    says="Whatever the value network says after an episode's end changes nothing.",
    change=poison_ended,
)
SHIFTED = Relation(
    name="values_shifted",
    says="Only the difference of q_target and v matters.",
    change=shift_values,
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the transitions does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: x.flip(0) if name.startswith("grad") else x for name, x in out.items()},
)


def parts(v_loss, q_loss, policy_loss):
    return v_loss + q_loss + policy_loss, v_loss, q_loss, policy_loss


def three_transitions(**more):
    """Return the statement's example, whose advantages are -2, 1 and 2."""
    return {
        "q": torch.tensor([2.5, 1.4, 0.5]),
        "q_target": torch.tensor([1.0, 1.0, 1.0]),
        "v": torch.tensor([3.0, 0.0, -1.0]),
        "next_v": torch.tensor([2.0, 1.0, math.nan]),
        "r": torch.tensor([1.0, 0.0, 1.0]),
        "done": torch.tensor([False, False, True]),
        "logp_a": torch.tensor([-1.0, -0.5, -2.0]),
        "gamma": 0.9,
        **more,
    }


def example():
    # 0.3 * 4 + 0.7 * 1 + 0.7 * 4 = 4.7; errors 0.3, -0.5 and 0.5; weights exp(-6), exp(3) and 100.
    expected = parts(4.7 / 3, 0.59 / 3, (math.exp(-6) + 0.5 * math.exp(3) + 200) / 3)
    return case("example", three_transitions(), visible=True, expected=expected)


def other_settings():
    args = three_transitions(gamma=0.5, tau=0.9, beta=0.5, clip=2.0)
    # 0.1 * 4 + 0.9 * 1 + 0.9 * 4 = 4.9; errors -0.5, -0.9 and 0.5; weights exp(-1), exp(0.5) and 2 instead of e.
    expected = parts(4.9 / 3, 1.31 / 3, (math.exp(-1) + 0.5 * math.exp(0.5) + 4) / 3)
    return case("other_settings", args, visible=True, expected=expected)


def one_transition():
    """Return an advantage of 40, so that exp(3 * 40) overflows in float32."""
    numbers = {"q": 1.0, "q_target": 41.0, "v": 1.0, "next_v": 2.0, "r": -1.0, "logp_a": -0.25}
    args = {name: torch.tensor([x]) for name, x in numbers.items()}
    # 0.7 * 1600, (-1 + 0.5 * 2 - 1)^2 and 100 * 0.25.
    expected = parts(1120.0, 1.0, 25.0)
    return case("one_transition", {**args, "done": torch.tensor([False]), "gamma": 0.5}, expected=expected)


def many_transitions(rng):
    """Return a case whose tensors are every second entry of longer ones."""
    args = batch(rng, randint(rng, 12, 16))
    args = {name: x.repeat_interleave(2)[::2] if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return case("many_transitions", args, relations=(ENDED, SHIFTED, REVERSED))


def high_expectile(rng):
    return case("high_expectile", batch(rng, randint(rng, 12, 16), tau=0.95, beta=1.0), relations=(ENDED, SHIFTED))


def low_expectile(rng):
    args = batch(rng, randint(rng, 12, 16), tau=0.2, beta=4.0, clip=3.0)
    return case("low_expectile", args, relations=(REVERSED,))


def no_temperature(rng):
    """Return a small `beta`: all weights are nearly 1, as in behavior cloning."""
    return case("no_temperature", batch(rng, randint(rng, 8, 12), beta=0.05, clip=10.0), relations=(SHIFTED,))


def targets_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 8, 12))
    return Case("targets_require_grad", args, grads=("q", "v", "logp_a"), constants=("q_target", "next_v"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, randint(rng, 8, 12))
    floats = {name: x.double() for name, x in args.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    return case("double_precision", {**args, **floats})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield other_settings()
    yield one_transition()
    yield many_transitions(rng)
    yield high_expectile(rng)
    yield low_expectile(rng)
    yield no_temperature(rng)
    yield targets_require_grad(rng)
    yield double_precision(rng)

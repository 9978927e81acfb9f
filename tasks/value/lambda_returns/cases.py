"""Rewards and values are large enough that each term of a return matters; values after an end are NaN."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def flags(steps, *at):
    return torch.tensor([t in at for t in range(steps)])


def three(*ends, lam=0.8, last=0.2):
    """Return the statement's example with ends at these steps."""
    args = {"r": torch.tensor([1.0, 0.0, 2.0]), "v_next": torch.tensor([0.4, 0.3, last]), "done": flags(3, *ends)}
    return {**args, "gamma": 0.9, "lam": lam}


def trajectory(rng, steps, every, gamma, lam):
    """Return a trajectory with an episode end every few steps, but not at its first or last step."""
    done = torch.arange(steps) % every == randint(rng, 1, every - 2)
    done[-1] = False
    v_next = torch.where(done, math.nan, rand(rng, steps, low=0.5, high=1.5))
    return {"r": rand(rng, steps, low=0.5, high=2.0), "v_next": v_next, "done": done, "gamma": gamma, "lam": lam}


def doubled(args):
    return {**args, "r": 2 * args["r"], "v_next": 2 * args["v_next"]}


def cut_after_end(args):
    """Keep the trajectory only up to its first end."""
    steps = int(args["done"].int().argmax()) + 1
    return {name: x[:steps] if isinstance(x, torch.Tensor) else x for name, x in args.items()}


DOUBLED = Relation(
    name="rewards_and_values_doubled",
    says="Twice the rewards and values give twice the returns.",
    change=doubled,
    expect=lambda out: {"returns": 2 * out["returns"]},
)


def alone(steps):
    """Return the relation that the first episode, which has this many steps, does not depend on later episodes."""
    return Relation(
        name="first_episode_alone",
        says="The returns of the first episode do not depend on later episodes.",
        change=cut_after_end,
        expect=lambda out: {"returns": out["returns"][:steps]},
    )


def without_ends():
    # The last step: 2 + 0.9 * 0.2 = 2.18. Then 0.9 * (0.06 + 0.8 * 2.18), and 1 + 0.9 * (0.08 + 0.8 * 1.6236).
    return Case("without_ends", three(), visible=True, expected=[2.240992, 1.6236, 2.18])


def end_midway():
    # 1 + 0.9 * 0.2 * 0.4 = 1.072: nothing is earned after the second step.
    return Case("end_midway", three(1), visible=True, expected=[1.072, 0.0, 2.18])


def end_at_the_last_step():
    # The last step: 2. Then 0.9 * (0.06 + 0.8 * 2) = 1.494, and 1 + 0.9 * (0.08 + 0.8 * 1.494) = 2.14768.
    return Case("end_at_the_last_step", three(2, last=math.nan), expected=[2.14768, 1.494, 2.0])


def ends_in_a_row():
    return Case("ends_in_a_row", three(0, 1), expected=[1.0, 0.0, 2.18])


def one_step_returns():
    """Return the example with lambda 0: only the one-step return counts."""
    return Case("one_step_returns", three(lam=0.0), expected=[1.36, 0.27, 2.18])


def longest_returns():
    """Return the example with lambda 1: only the longest return counts, with the value after the last step."""
    return Case("longest_returns", three(lam=1.0), expected=[2.7658, 1.962, 2.18])


def single_step():
    args = {"r": torch.tensor([-1.5]), "v_next": torch.tensor([4.0]), "done": flags(1), "gamma": 0.5, "lam": 0.7}
    return Case("single_step", args, expected=[0.5])


def many_episodes(rng):
    """Return a case whose tensors are every second entry of longer ones."""
    args = trajectory(rng, randint(rng, 30, 40), randint(rng, 6, 8), 0.97, 0.9)
    first = int(args["done"].int().argmax()) + 1
    args = {name: x.repeat_interleave(2)[::2] if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return Case("many_episodes", args, relations=(DOUBLED, alone(first)))


def undiscounted(rng):
    args = trajectory(rng, randint(rng, 12, 16), randint(rng, 5, 6), 1.0, 0.95)
    return Case("undiscounted", args, relations=(DOUBLED,))


def long_episode(rng):
    """Return an episode so long that powers of lambda underflow in float32."""
    args = trajectory(rng, 1500, 1497, 0.98, 0.6)
    return Case("long_episode", args)


def values_require_grad(rng):
    args = trajectory(rng, randint(rng, 8, 12), 20, 0.9, 0.7)
    args |= {"done": flags(len(args["r"])), "v_next": args["v_next"].nan_to_num(1.0)}
    return Case("values_require_grad", args, constants=("v_next", "r"))


def double_precision(rng):
    args = trajectory(rng, randint(rng, 8, 12), 5, 0.95, 0.85)
    return Case("double_precision", {**args, "r": args["r"].double(), "v_next": args["v_next"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield without_ends()
    yield end_midway()
    yield end_at_the_last_step()
    yield ends_in_a_row()
    yield one_step_returns()
    yield longest_returns()
    yield single_step()
    yield many_episodes(rng)
    yield undiscounted(rng)
    yield long_episode(rng)
    yield values_require_grad(rng)
    yield double_precision(rng)

"""Rewards and values are large enough that each term of a target matters."""

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


def three(n, *ends, last=0.2):
    """Return the statement's example with ends at these steps."""
    args = {"r": torch.tensor([1.0, 0.0, 2.0]), "v": torch.tensor([0.5, 0.4, 0.3, last]), "done": flags(3, *ends)}
    return {**args, "gamma": 0.9, "n": n}


def trajectory(rng, steps, every, gamma, n):
    """Return a trajectory with an episode end every few steps, but not at its first or last two steps."""
    done = torch.arange(steps) % every == randint(rng, 1, every - 3)
    done[-2:] = False
    v = rand(rng, steps + 1, low=2.0, high=3.0)
    return {"r": rand(rng, steps, low=0.5, high=2.0), "v": v, "done": done, "gamma": gamma, "n": n}


def cut_after_end(args):
    """Keep the trajectory only up to its first end, with NaN as the value after it."""
    steps = int(args["done"].int().argmax()) + 1
    after = torch.full_like(args["v"][:1], math.nan)
    kept = {"r": args["r"][:steps], "v": torch.cat([args["v"][:steps], after]), "done": args["done"][:steps]}
    return {**args, **kept}


DOUBLED = Relation(
    name="rewards_and_values_doubled",
    says="Twice the rewards and values give twice the targets.",
    change=lambda args: {**args, "r": 2 * args["r"], "v": 2 * args["v"]},
    expect=lambda out: {"targets": 2 * out["targets"]},
)


def alone(steps):
    """Return the relation that the first episode, which has this many steps, does not depend on later episodes."""
    return Relation(
        name="first_episode_alone",
        says="The targets of the first episode do not depend on later episodes.",
        change=cut_after_end,
        expect=lambda out: {"targets": out["targets"][:steps]},
    )


def one_step():
    return Case("one_step", three(1), visible=True, expected=[1.36, 0.27, 2.18])


def two_steps():
    # 1 + 0.81 * 0.3, 0.9 * 2 + 0.81 * 0.2, and only one step is left at the end: 2 + 0.9 * 0.2.
    return Case("two_steps", three(2), visible=True, expected=[1.243, 1.962, 2.18])


def end_midway():
    return Case("end_midway", three(2, 1), visible=True, expected=[1.0, 0.0, 2.18])


def more_than_there_are():
    """Return the example with more steps than the trajectory has: 1 + 0.81 * 2 + 0.729 * 0.2 = 2.7658."""
    return Case("more_than_there_are", three(10), expected=[2.7658, 1.962, 2.18])


def end_at_the_last_step():
    """Return an episode that ends with the trajectory; the value after it is NaN."""
    # 1 + 0.81 * 0.3 = 1.243 does not reach the end; the others are 0.9 * 2 and 2.
    return Case("end_at_the_last_step", three(2, 2, last=math.nan), expected=[1.243, 1.8, 2.0])


def end_at_the_first_step():
    return Case("end_at_the_first_step", three(3, 0), expected=[1.0, 1.962, 2.18])


def single_step():
    args = {"r": torch.tensor([-1.5]), "v": torch.tensor([9.0, 4.0]), "done": flags(1), "gamma": 0.5, "n": 4}
    return Case("single_step", args, expected=[0.5])


def many_episodes(rng):
    """Return a case whose tensors are every second entry of longer ones."""
    args = trajectory(rng, randint(rng, 30, 40), randint(rng, 8, 10), 0.95, 3)
    first = int(args["done"].int().argmax()) + 1
    args = {name: x.repeat_interleave(2)[::2] if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return Case("many_episodes", args, relations=(DOUBLED, alone(first)))


def long_steps(rng):
    """Return a case in which `n` is longer than any episode."""
    args = trajectory(rng, randint(rng, 30, 40), randint(rng, 8, 10), 0.9, 15)
    return Case("long_steps", args, relations=(DOUBLED,))


def undiscounted(rng):
    return Case("undiscounted", trajectory(rng, randint(rng, 14, 18), 7, 1.0, 4), relations=(DOUBLED,))


def values_require_grad(rng):
    args = trajectory(rng, randint(rng, 8, 10), 40, 0.9, 3)
    return Case("values_require_grad", {**args, "done": flags(len(args["r"]))}, constants=("v", "r"))


def double_precision(rng):
    args = trajectory(rng, randint(rng, 10, 14), 6, 0.95, 2)
    return Case("double_precision", {**args, "r": args["r"].double(), "v": args["v"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_step()
    yield two_steps()
    yield end_midway()
    yield more_than_there_are()
    yield end_at_the_last_step()
    yield end_at_the_first_step()
    yield single_step()
    yield many_episodes(rng)
    yield long_steps(rng)
    yield undiscounted(rng)
    yield values_require_grad(rng)
    yield double_precision(rng)

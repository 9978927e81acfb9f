"""Rollouts in which episodes end at known and at random steps, by termination, by time limit, and by both."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def flags(steps, envs, places):
    """Return flags [T, N] that are true at these (step, environment) pairs."""
    result = torch.zeros(steps, envs, dtype=torch.bool)
    for step, env in places:
        result[step, env] = True
    return result


def rollout(rng, terminated, truncated):
    """Return a rollout with these flags; the values of new episodes are far from those of old ones."""
    steps, envs = terminated.shape
    return {
        "rewards": torch.randn(steps, envs, generator=rng),
        "values": 3 + 4 * torch.rand(steps, envs, generator=rng),
        "terminated": terminated,
        "truncated": truncated,
        "final_values": torch.where(truncated, -3 - 4 * torch.rand(steps, envs, generator=rng), 0.0),
    }


def case(name, rng, terminated, truncated, **more):
    args = {
        "rollout": rollout(rng, terminated, truncated),
        "last_values": 3 + 4 * torch.rand(terminated.shape[1], generator=rng),
        "gamma": 0.9 + 0.01 * randint(rng, 0, 9),
        "lam": 0.7 + 0.01 * randint(rng, 0, 9),
    }
    return Case(name=name, args=args, **more)


def poison(number):
    def change(args):
        parts = args["rollout"]
        return {
            **args,
            "rollout": {**parts, "final_values": parts["final_values"].masked_fill(~parts["truncated"], number)},
        }

    return change


UNUSED = tuple(
    Relation(f"unused_final_values_{name}", "A final value only matters at a truncated step.", poison(number))
    for name, number in (("nan", math.nan), ("large", 1e9))
)


def one_fall():
    """Return the statement's example."""
    args = {
        "rollout": {
            "rewards": torch.tensor([[1.0], [-5.0], [1.0]]),
            "values": torch.tensor([[10.0], [2.0], [12.0]]),
            "terminated": torch.tensor([[False], [True], [False]]),
            "truncated": torch.zeros(3, 1, dtype=torch.bool),
            "final_values": torch.zeros(3, 1),
        },
        "last_values": torch.tensor([12.0]),
        "gamma": 0.5,
        "lam": 0.5,
    }
    # Deltas: 1 + 0.5 * 2 - 10 = -8, -5 - 2 = -7, 1 + 0.5 * 12 - 12 = -5; the first step adds a quarter of -7.
    expected = torch.tensor([[-9.75], [-7.0], [-5.0]], dtype=torch.float64)
    targets = torch.tensor([[0.25], [-5.0], [7.0]], dtype=torch.float64)
    return Case("one_fall", args, visible=True, expected=(expected, targets))


def time_limit(rng):
    """Return episodes that only time limits end, in the middle of the rollout."""
    none = flags(7, 3, [])
    return case("time_limit", rng, none, flags(7, 3, [(2, 0), (4, 1), (1, 2), (5, 2)]), relations=UNUSED)


def falls(rng):
    """Return episodes that only terminations end, in the middle of the rollout."""
    return case("falls", rng, flags(7, 3, [(2, 0), (4, 1), (1, 2), (5, 2)]), flags(7, 3, []), relations=UNUSED)


def no_end(rng):
    return case("no_end", rng, flags(6, 3, []), flags(6, 3, []))


def end_at_last_step(rng):
    """Return environments whose last step terminates, is truncated, or neither."""
    return case("end_at_last_step", rng, flags(5, 3, [(4, 0)]), flags(5, 3, [(4, 1)]))


def end_at_first_step(rng):
    return case("end_at_first_step", rng, flags(5, 3, [(0, 0)]), flags(5, 3, [(0, 1)]))


def both_flags(rng):
    """Return steps with both flags, in the middle and at the end of the rollout."""
    places = [(1, 0), (5, 1)]
    return case("both_flags", rng, flags(6, 2, places), flags(6, 2, places))


def ends_in_a_row(rng):
    """Return episodes of one step."""
    return case("ends_in_a_row", rng, flags(6, 2, [(2, 0), (3, 0), (3, 1)]), flags(6, 2, [(4, 0), (2, 1), (4, 1)]))


def double_precision(rng):
    drawn = case("double_precision", rng, flags(6, 2, [(2, 0)]), flags(6, 2, [(3, 1)]))
    parts = {name: x.double() if x.is_floating_point() else x for name, x in drawn.args["rollout"].items()}
    return Case("double_precision", {**drawn.args, "rollout": parts, "last_values": drawn.args["last_values"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_fall()
    yield time_limit(rng)
    yield falls(rng)
    yield no_end(rng)
    yield end_at_last_step(rng)
    yield end_at_first_step(rng)
    yield both_flags(rng)
    yield ends_in_a_row(rng)
    yield double_precision(rng)

"""Entries of `final_values` and `next_value` that the definition does not use are NaN or from the next episode."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def column(*numbers):
    return torch.tensor(numbers, dtype=torch.float32)[:, None]


def flags(steps, *at):
    return torch.tensor([t in at for t in range(steps)])[:, None]


def ones(terminated=(), truncated=(), final_values=(0.0, 0.0, 0.0)):
    """Return three steps of reward 1 and value 0.5 with gamma 0.99 and lambda 0.95."""
    return {
        "rewards": column(1.0, 1.0, 1.0),
        "values": column(0.5, 0.5, 0.5),
        "next_value": torch.tensor([0.5]),
        "terminated": flags(3, *terminated),
        "truncated": flags(3, *truncated),
        "final_values": column(*final_values),
        "gamma": 0.99,
        "lam": 0.95,
    }


def literal(name, args, adv, **more):
    targets = [a + v for a, v in zip(adv, args["values"][:, 0].tolist(), strict=True)]
    expected = tuple(torch.tensor(x, dtype=torch.float64)[:, None] for x in (adv, targets))
    return Case(name=name, args=args, expected=expected, **more)


def without_ends():
    # Each delta is 1 + 0.99 * 0.5 - 0.5 = 0.995; the factor is 0.99 * 0.95 = 0.9405.
    second = 0.995 + 0.9405 * 0.995
    return literal("without_ends", ones(), [0.995 + 0.9405 * second, second, 0.995], visible=True)


def terminated_midway():
    # No value follows at t=1: 1 - 0.5.
    return literal("terminated_midway", ones(terminated=[1]), [0.995 + 0.9405 * 0.5, 0.5, 0.995], visible=True)


def truncated_midway():
    # At t=1, the episode would have continued with value 2: 1 + 0.99 * 2 - 0.5 = 2.48.
    args = ones(truncated=[1], final_values=(0.0, 2.0, 0.0))
    return literal("truncated_midway", args, [0.995 + 0.9405 * 2.48, 2.48, 0.995], visible=True)


def both_flags():
    args = ones(terminated=[1], truncated=[1], final_values=(0.0, 2.0, 0.0))
    return literal("both_flags", args, [0.995 + 0.9405 * 0.5, 0.5, 0.995])


def ends_at_the_last_step():
    """Return two columns, the first terminated and the second truncated at the last step."""
    args = {name: x.repeat(1, 2) if getattr(x, "ndim", 0) == 2 else x for name, x in ones().items()}
    args["terminated"][2, 0] = True
    args["truncated"][2, 1] = True
    args["final_values"][2, 1] = 2.0
    args["next_value"] = torch.tensor([7.0, 7.0])
    adv = []
    for last in (0.5, 2.48):
        second = 0.995 + 0.9405 * last
        adv.append([0.995 + 0.9405 * second, second, last])
    adv = torch.tensor(adv, dtype=torch.float64).T
    return Case(name="ends_at_the_last_step", args=args, expected=(adv, adv + 0.5))


def one_answer():
    """Return the tokens of one answer with a reward at its end, as in language-model training."""
    args = {
        "rewards": column(0.0, 0.0, 1.0),
        "values": column(0.2, 0.4, 0.6),
        "next_value": torch.tensor([0.9]),
        "terminated": flags(3, 2),
        "truncated": flags(3),
        "final_values": column(0.0, 0.0, 0.0),
        "gamma": 1.0,
        "lam": 0.95,
    }
    # Deltas 0.2, 0.2, 0.4.
    return literal("one_answer", args, [0.2 + 0.95 * 0.58, 0.2 + 0.95 * 0.4, 0.4])


def poison_unused(args):
    is_used = args["truncated"] & ~args["terminated"]
    args["final_values"] = torch.where(is_used, args["final_values"], math.nan)
    is_end = (args["terminated"] | args["truncated"])[-1]
    args["next_value"] = torch.where(is_end, math.nan, args["next_value"])
    return args


def swap_columns(args):
    return {name: x.flip(-1) if isinstance(x, torch.Tensor) else x for name, x in args.items()}


UNUSED = Relation(
    name="unused_poisoned",
    says="NaN in final_values and next_value where they are not used changes nothing.",
    change=poison_unused,
)
SWAPPED = Relation(
    name="columns_swapped",
    says="Columns do not know of each other.",
    change=swap_columns,
    expect=lambda out: {name: x.flip(-1) for name, x in out.items()},
)


def many_episodes(rng):
    steps, columns = randint(rng, 20, 26), randint(rng, 3, 5)
    kind = torch.arange(steps)[:, None] + 3 * torch.arange(columns) + randint(rng, 0, 5)
    column_flags = torch.arange(columns) == 0  # in the last row the first column terminates, the second is truncated
    args = {
        "rewards": rand(rng, steps, columns),
        "values": rand(rng, steps, columns, low=0.5, high=1.5),
        "next_value": rand(rng, columns, low=0.5, high=1.5),
        "terminated": torch.cat([kind[:-1] % 6 == 2, column_flags[None]]),
        "truncated": torch.cat([kind[:-1] % 9 == 5, column_flags.roll(1)[None]]),
        "final_values": rand(rng, steps, columns, low=2.0, high=3.0),
        "gamma": 0.97,
        "lam": 0.9,
    }
    return Case(name="many_episodes", args=args, relations=(UNUSED, SWAPPED))


def values_ask_for_gradient(rng):
    steps, columns = randint(rng, 4, 8), 2
    args = {
        "rewards": rand(rng, steps, columns),
        "values": rand(rng, steps, columns, low=0.5, high=1.5),
        "next_value": rand(rng, columns, low=0.5, high=1.5),
        "terminated": torch.zeros(steps, columns, dtype=torch.bool),
        "truncated": torch.zeros(steps, columns, dtype=torch.bool),
        "final_values": torch.zeros(steps, columns),
        "gamma": 0.99,
        "lam": 1.0,
    }
    return Case(name="values_ask_for_gradient", args=args, constants=("values", "next_value"))


def lambda_of_zero():
    """Return three columns without an end and with lambda 0: each advantage is its own delta."""
    args = {name: x.repeat(1, 3) if getattr(x, "ndim", 0) == 2 else x for name, x in ones().items()}
    args["values"] = torch.tensor([[0.5, 1.0, -1.0], [0.25, 2.0, 0.0], [0.5, 3.0, 1.0]])
    args |= {"next_value": torch.tensor([2.0, 1.0, 0.0]), "gamma": 0.5, "lam": 0.0}
    adv = [[0.625, 1.0, 2.0], [1.0, 0.5, 1.5], [1.5, -1.5, 0.0]]
    targets = [[1.125, 2.0, 1.0], [1.25, 2.5, 1.5], [2.0, 1.5, 1.0]]
    return Case(name="lambda_of_zero", args=args, expected=(adv, targets), visible=True)


def long_column(rng):
    """Return a column so long that the powers of gamma times lambda underflow in float32."""
    steps = 300
    args = {
        "rewards": rand(rng, steps, 1),
        "values": rand(rng, steps, 1, low=0.5, high=1.5),
        "next_value": rand(rng, 1, low=0.5, high=1.5),
        "terminated": flags(steps),
        "truncated": flags(steps),
        "final_values": torch.zeros(steps, 1),
        "gamma": 0.8,
        "lam": 0.8,
    }
    return Case(name="long_column", args=args)


def double_precision(rng):
    steps, columns = randint(rng, 5, 8), 2
    args = {
        "rewards": rand(rng, steps, columns).double(),
        "values": rand(rng, steps, columns, low=0.5, high=1.5).double(),
        "next_value": rand(rng, columns, low=0.5, high=1.5).double(),
        "terminated": torch.zeros(steps, columns, dtype=torch.bool),
        "truncated": torch.zeros(steps, columns, dtype=torch.bool),
        "final_values": torch.zeros(steps, columns, dtype=torch.float64),
        "gamma": 0.97,
        "lam": 0.9,
    }
    return Case(name="double_precision", args=args)


def timed(rng):
    """Return a long rollout with a few ends for timing."""
    shape = (2048, 64)
    ends = torch.rand(2, *shape, generator=rng) < 0.01
    numbers = {name: rand(rng, *shape) for name in ("rewards", "values", "final_values")}
    flags = {"terminated": ends[0], "truncated": ends[1]}
    return Case(name="timed", args={**numbers, **flags, "next_value": rand(rng, 64), "gamma": 0.99, "lam": 0.95})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield without_ends()
    yield terminated_midway()
    yield truncated_midway()
    yield both_flags()
    yield ends_at_the_last_step()
    yield one_answer()
    yield many_episodes(rng)
    yield values_ask_for_gradient(rng)
    yield lambda_of_zero()
    yield long_column(rng)
    yield double_precision(rng)

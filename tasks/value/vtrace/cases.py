"""Ratios are drawn on both sides of 1 and of the other limits, and never near a limit."""

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


def three(*ratios, discounts=(0.9, 0.9, 0.9), **more):
    """Return one trajectory of three steps with reward 1 and value 0.5."""
    return {
        "behav_logp": column(-1.0, -1.5, -2.0),
        "target_logp": column(-1.0, -1.5, -2.0) + column(*map(math.log, ratios)),
        "r": column(1.0, 1.0, 1.0),
        "v": column(0.5, 0.5, 0.5),
        "v_last": torch.tensor([0.5]),
        "discount": column(*discounts),
        **more,
    }


def literal(name, args, vs, pg_adv, **more):
    expected = tuple(torch.tensor(x, dtype=torch.float64)[:, None] for x in (vs, pg_adv))
    return Case(name=name, args=args, expected=expected, **more)


def batch(rng, steps, columns, gamma=0.95, **more):
    """Return trajectories with ratios from four bands and an episode end about every seventh step."""
    place = torch.arange(steps)[:, None] + 2 * torch.arange(columns) + randint(rng, 0, 3)
    low, high = torch.tensor([(0.2, 0.5), (1.7, 2.2), (0.85, 0.95), (1.15, 1.25)])[place % 4].unbind(dim=-1)
    behav_logp = rand(rng, steps, columns, low=-3.0, high=-0.5)
    is_end = place % 7 == 5
    is_end[-1] = torch.arange(columns) == 0
    return {
        "behav_logp": behav_logp,
        "target_logp": behav_logp + rand(rng, steps, columns, low=low, high=high).log(),
        "r": rand(rng, steps, columns, low=0.5, high=2.0),
        "v": rand(rng, steps, columns, low=0.5, high=1.5),
        "v_last": rand(rng, columns, low=2.0, high=3.0),
        "discount": torch.where(is_end, 0.0, rand(rng, steps, columns, low=gamma - 0.04, high=gamma)),
        **more,
    }


def flip_columns(args):
    return {name: x.flip(-1) if isinstance(x, torch.Tensor) else x for name, x in args.items()}


SWAPPED = Relation(
    name="columns_swapped",
    says="The trajectories of a batch do not depend on each other.",
    change=flip_columns,
    expect=lambda out: {name: x.flip(-1) for name, x in out.items()},
)
DOUBLED = Relation(
    name="rewards_and_values_doubled",
    says="Twice the rewards and values give twice the targets and advantages.",
    change=lambda args: {**args, **{name: 2 * args[name] for name in ("r", "v", "v_last")}},
    expect=lambda out: {name: 2 * x for name, x in out.items()},
)
LESS_LIKELY = Relation(
    name="all_actions_less_likely",
    says="Only the difference of the two log-probabilities matters.",
    change=lambda args: {**args, "behav_logp": args["behav_logp"] - 2, "target_logp": args["target_logp"] - 2},
)


def older_policy():
    # Each TD error is 0.95. Corrections: 0.95, then 0.475 + 0.9 * 0.5 * 0.95 = 0.9025, then 0.95 + 0.9 * 0.9025.
    # The advantage of the first step: 1 + 0.9 * 1.4025 - 0.5; of the second: 0.5 * (1 + 0.9 * 1.45 - 0.5).
    vs, pg_adv = [2.26225, 1.4025, 1.45], [1.76225, 0.9025, 0.95]
    return literal("older_policy", three(2.0, 0.5, 1.0), vs, pg_adv, visible=True)


def same_policy():
    """Return a case with ratios of 1: the targets are the discounted rewards plus the last value."""
    vs, pg_adv = [3.0745, 2.305, 1.45], [2.5745, 1.805, 0.95]
    return literal("same_policy", three(1.0, 1.0, 1.0), vs, pg_adv, visible=True)


def separate_limits():
    # rho is 1.5, 0.5, 1 and c is 0.8, 0.5, 0.8: 1.425 + 0.9 * 0.8 * 0.9025 = 2.0748, and 1.5 * 1.76225.
    args = three(2.0, 0.5, 1.0, rho_bar=1.5, c_bar=0.8)
    return literal("separate_limits", args, [2.5748, 1.4025, 1.45], [2.643375, 0.9025, 0.95], visible=True)


def half_lambda():
    # 0.475 + 0.9 * 0.25 * 0.95 = 0.68875, and 0.95 + 0.9 * 0.5 * 0.68875 = 1.2599375.
    # The first advantage: 1 + 0.9 * 1.18875 - 0.5.
    args = three(2.0, 0.5, 1.0, lam=0.5)
    return literal("half_lambda", args, [1.7599375, 1.18875, 1.45], [1.569875, 0.9025, 0.95])


def end_midway():
    """Return the example with an episode end at the second step, whose TD error is 1 - 0.5."""
    # 0.5 * 0.5 = 0.25, then 0.95 + 0.9 * 0.25 = 1.175; advantages 1 + 0.9 * 0.75 - 0.5, 0.25, 0.95.
    args = three(2.0, 0.5, 1.0, discounts=(0.9, 0.0, 0.9))
    return literal("end_midway", args, [1.675, 0.75, 1.45], [1.175, 0.25, 0.95], visible=True)


def extreme_log_probabilities():
    """Return actions that one or both policies take almost never; the ratios are infinite, 1/2, 0 and 0."""
    args = {
        "behav_logp": column(-150.0, -120.0, -1.0, -1.0),
        "target_logp": column(-0.5, -120.0 - math.log(2), -130.0, -math.inf),
        "r": column(1.0, 1.0, 1.0, 1.0),
        "v": column(0.5, 0.5, 0.5, 0.5),
        "v_last": torch.tensor([0.5]),
        "discount": column(0.9, 0.9, 0.9, 0.9),
    }
    # The third and the fourth step have no weight: 0.475, then 0.95 + 0.9 * 0.475 = 1.3775.
    # Advantages: 1 + 0.9 * 0.975 - 0.5, and 0.5 * 0.95.
    return literal("extreme_log_probabilities", args, [1.8775, 0.975, 0.5, 0.5], [1.3775, 0.475, 0.0, 0.0])


def many_columns(rng):
    """Return a case whose tensors are views of transposed storage."""
    args = batch(rng, randint(rng, 16, 20), randint(rng, 4, 6))
    args = {name: x.T.contiguous().T if x.ndim == 2 else x for name, x in args.items()}
    return Case("many_columns", args, relations=(SWAPPED, DOUBLED, LESS_LIKELY))


def loose_limits(rng):
    args = batch(rng, randint(rng, 12, 16), 4, rho_bar=2.6, c_bar=1.05)
    return Case("loose_limits", args, relations=(DOUBLED, LESS_LIKELY))


def no_limit_for_rho(rng):
    args = batch(rng, randint(rng, 12, 16), 3, rho_bar=math.inf, c_bar=1.4, lam=0.9)
    return Case("no_limit_for_rho", args, relations=(SWAPPED,))


def long_columns(rng):
    """Return trajectories so long that the products of all c underflow in float32."""
    args = batch(rng, 250, 2)
    args["discount"] = torch.full_like(args["discount"], 0.9)
    return Case("long_columns", args)


def inputs_require_grad(rng):
    args = batch(rng, randint(rng, 8, 10), 3, lam=0.8)
    return Case("inputs_require_grad", args, constants=("target_logp", "v", "v_last"))


def double_precision(rng):
    args = batch(rng, randint(rng, 8, 10), 3)
    return Case("double_precision", {name: x.double() for name, x in args.items()})


def timed(rng):
    """Return a large batch for timing."""
    return Case("timed", batch(rng, 512, 256))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield older_policy()
    yield same_policy()
    yield separate_limits()
    yield half_lambda()
    yield end_midway()
    yield extreme_log_probabilities()
    yield many_columns(rng)
    yield loose_limits(rng)
    yield no_limit_for_rho(rng)
    yield long_columns(rng)
    yield inputs_require_grad(rng)
    yield double_precision(rng)

"""Runs of one and of several sessions, with numbers of environments that do or do not divide the interval."""

from collections.abc import Iterator

import torch

from tasks.task import Case

STATES, ACTIONS = 3, 2


def transitions(rng, calls, envs, dtype=torch.float32):
    """Return one batch per call; there are so few states that every copy of the target soon matters."""
    return [
        {
            "states": torch.randint(0, STATES, (envs,), generator=rng),
            "actions": torch.randint(0, ACTIONS, (envs,), generator=rng),
            "rewards": 2 + 2 * torch.rand(envs, generator=rng, dtype=dtype),
            "next_states": torch.randint(0, STATES, (envs,), generator=rng),
            "terminated": torch.rand(envs, generator=rng) < 0.1,
        }
        for _ in range(calls)
    ]


def case(name, rng, interval, sessions, dtype=torch.float32):
    """Return a run; `sessions` has the calls and the environments of each session."""
    settings = {
        "gamma": 0.9,
        "learning_rate": 0.75,
        "target_interval": interval,
        "values": 5 + torch.rand(STATES, ACTIONS, generator=rng, dtype=dtype),
    }
    args = {"settings": settings, "sessions": [transitions(rng, *session, dtype) for session in sessions]}
    return Case(name, args)


def one_state():
    """Return the statement's example: one state and one action, two environments, and two sessions of two calls."""
    batch = {
        "states": torch.tensor([0, 0]),
        "actions": torch.tensor([0, 0]),
        "rewards": torch.tensor([1.0, 1.0]),
        "next_states": torch.tensor([0, 0]),
        "terminated": torch.tensor([False, False]),
    }
    settings = {"gamma": 0.5, "learning_rate": 1.0, "target_interval": 4, "values": torch.zeros(1, 1)}
    args = {"settings": settings, "sessions": [[batch, batch], [batch, batch]]}
    # The target is 0 for two calls and 1 for two calls, so the values are 1, 1, 1.5 and 1.5.
    expected = (torch.tensor([[1.5]], dtype=torch.float64), torch.tensor([4, 8]))
    return Case("one_state", args, visible=True, expected=expected)


def one_session(rng):
    return case("one_session", rng, 12, [(10, 4)])


def one_environment(rng):
    return case("one_environment", rng, 6, [(11, 1), (11, 1), (8, 1)])


def four_sessions(rng):
    """Return sessions that end at a copy, one call after it, and two calls after it."""
    return case("four_sessions", rng, 12, [(6, 4), (4, 4), (4, 4), (5, 4)])


def environments_change(rng):
    return case("environments_change", rng, 12, [(5, 4), (9, 2), (4, 6), (5, 4)])


def interval_not_divisible(rng):
    """Return an interval of 15 environment steps, which is 3 calls with 4 environments and 2 with 6."""
    return case("interval_not_divisible", rng, 15, [(5, 4), (5, 4), (5, 6), (4, 6)])


def more_environments_than_interval(rng):
    return case("more_environments_than_interval", rng, 4, [(3, 6), (3, 6), (7, 2)])


def no_copy(rng):
    return case("no_copy", rng, 100, [(4, 4), (4, 4)])


def double_precision(rng):
    return case("double_precision", rng, 12, [(4, 4), (4, 4), (4, 4)], torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_state()
    yield one_session(rng)
    yield one_environment(rng)
    yield four_sessions(rng)
    yield environments_change(rng)
    yield interval_not_divisible(rng)
    yield more_environments_than_interval(rng)
    yield no_copy(rng)
    yield double_precision(rng)

"""Only the numbers of stages and microbatches vary; cases with an `expected` result were traced by hand."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, stages, microbatches, **more):
    return Case(name=name, args={"stages": stages, "microbatches": microbatches}, **more)


def by_hand(name, stages, microbatches, orders, peaks, seconds):
    """Return a case with the order of passes on each stage, such as "F0 B0 F1 B1"."""
    numbers = [[(1 if word[0] == "F" else -1) * (int(word[1:]) + 1) for word in order.split()] for order in orders]
    expected = {
        "programs": stages,
        "passes": numbers,
        "peak_inflight": peaks,
        "all_actions_exist": True,
        "no_action_repeated": True,
        "passes_alone_in_step": True,
        "inputs_available": True,
        "no_deadlock": True,
        "all_transfers_made": True,
        "passes_done": [2 * microbatches] * stages,
        "waiting_for": [0] * stages,
        "makespan": seconds,
    }
    return case(name, stages, microbatches, visible=True, expected=expected)


def literals():
    # A forward pass takes 1 s, and a backward pass 2 s. Stage 1 is busy from 1 s to 10 s, and stage 0 ends with B2.
    orders = ["F0 F1 B0 F2 B1 B2", "F0 B0 F1 B1 F2 B2"]
    yield by_hand("two_stages", 2, 3, orders, [2, 1], 12)
    orders = ["F0 F1 F2 B0 F3 B1 B2 B3", "F0 F1 B0 F2 B1 F3 B2 B3", "F0 B0 F1 B1 F2 B2 F3 B3"]
    yield by_hand("three_stages", 3, 4, orders, [3, 2, 1], 18)
    yield by_hand("one_stage", 1, 3, ["F0 B0 F1 B1 F2 B2"], [1], 9)
    yield by_hand("one_microbatch", 3, 1, ["F0 B0"] * 3, [1, 1, 1], 9)
    # Stages 0 and 1 run both forward passes before the first gradient can come back.
    orders = ["F0 F1 B0 B1", "F0 F1 B0 B1", "F0 F1 B0 B1", "F0 B0 F1 B1"]
    yield by_hand("fewer_than_stages", 4, 2, orders, [2, 2, 2, 1], 15)


def many_microbatches(rng):
    stages = randint(rng, 4, 6)
    return case("many_microbatches", stages, 2 * stages + randint(rng, 1, 4))


def as_many_as_stages(rng):
    stages = randint(rng, 4, 6)
    return case("as_many_as_stages", stages, stages)


def few_microbatches(rng):
    stages = randint(rng, 6, 8)
    return case("few_microbatches", stages, randint(rng, 3, stages - 3))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield many_microbatches(rng)
    yield as_many_as_stages(rng)
    yield few_microbatches(rng)

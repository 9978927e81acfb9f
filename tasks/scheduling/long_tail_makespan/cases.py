"""Lengths are drawn as doubles, a few of them many times longer, so that no two samples finish together."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def draw_lengths(rng, count):
    """Return lengths from 20 to 60 tokens, with about every fourth from 150 to 400."""
    base = 20 + 40 * torch.rand(count, generator=rng, dtype=torch.float64)
    tail = 150 + 250 * torch.rand(count, generator=rng, dtype=torch.float64)
    return torch.where(torch.arange(count) % 4 == randint(rng, 0, 1), tail, base).tolist()


ALL_STARTED = Relation(
    name="no_surplus",
    says="Over-provisioning and partial rollout without a surplus are synchronous steps.",
    change=lambda args: {**args, "mode": "over_provision", "started": args["batch"]},
)
ALL_PARTIAL = Relation(
    name="nothing_left_over",
    says="Partial rollout without a surplus is synchronous, whatever resuming costs.",
    change=lambda args: {**args, "mode": "partial", "started": args["batch"], "resume_time": 7.0},
)


def case(name, lengths, slots, mode, batch, started=None, train_time=1.0, resume_time=None, **more):
    args = {"lengths": [float(x) for x in lengths], "slots": slots, "mode": mode, "train_time": train_time}
    args |= {"batch": batch, "started": started}
    return Case(name=name, args=args if resume_time is None else {**args, "resume_time": resume_time}, **more)


def books(step_times, utilisation, wasted_tokens, mean_trained_length):
    return {
        "step_times": step_times,
        "utilisation": utilisation,
        "wasted_tokens": wasted_tokens,
        "mean_trained_length": mean_trained_length,
    }


def waiting_for_all():
    # 10 tokens in 2 slots over 9 units.
    expected = books([5.0, 4.0], 10 / 18, 0.0, 2.5)
    return case("waiting_for_all", [4, 1, 2, 3], 2, "sync", 2, visible=True, expected=expected)


def thrown_away():
    # 2 + 1 + 2 tokens, then 3 + 4 + 4; the longest sample loses 2 and then 4 tokens.
    expected = books([3.0, 5.0], 16 / 24, 6.0, 2.5)
    return case("thrown_away", [9, 1, 2, 3, 8, 4], 3, "over_provision", 2, 3, visible=True, expected=expected)


def continued():
    # 2 + 1 + 2 tokens, then 5 + 3 + 6 in 6 units, one of which the first sample loses.
    expected = books([3.0, 7.0], 19 / 30, 0.0, 3.0)
    more = {"resume_time": 1.0, "visible": True, "expected": expected}
    return case("continued", [9, 1, 2, 3, 6, 4], 3, "partial", 2, 3, **more)


def continued_for_free():
    # As before, but the first sample generates 6 tokens in the second step.
    expected = books([3.0, 7.0], 20 / 30, 0.0, 3.0)
    return case("continued_for_free", [9, 1, 2, 3, 6, 4], 3, "partial", 2, 3, visible=True, expected=expected)


def continued_twice():
    """Return a sample that is interrupted in each of three steps and pays twice for resuming."""
    # 2 + 2 tokens, then 2 + 3 and 3 + 4; the first sample loses one unit in the second step and one in the third.
    expected = books([3.0, 4.0, 5.0], 16 / 24, 0.0, 3.0)
    more = {"resume_time": 1.0, "visible": True, "expected": expected}
    return case("continued_twice", [9, 2, 3, 4], 2, "partial", 1, 2, **more)


def few_slots(rng):
    batch = randint(rng, 8, 10)
    lengths = draw_lengths(rng, 3 * batch + 2)
    relations = (ALL_STARTED, ALL_PARTIAL)
    return case("few_slots", lengths, 3, "sync", batch, train_time=25.5, relations=relations)


def surplus(rng):
    batch = randint(rng, 6, 8)
    started = batch + 5
    lengths = draw_lengths(rng, 3 * started + 1)
    return case("surplus", lengths, 4, "over_provision", batch, started, train_time=25.5)


def surplus_kept(rng):
    batch = randint(rng, 6, 8)
    lengths = [5000.0, *draw_lengths(rng, 5 * batch + 2)]  # the first sample is interrupted in every step
    return case("surplus_kept", lengths, 4, "partial", batch, batch + 6, train_time=25.5, resume_time=9.25)


def surplus_side_by_side(rng):
    """Return steps in which every sample has a slot of its own."""
    batch = randint(rng, 6, 8)
    lengths = [5000.0, *draw_lengths(rng, 5 * batch + 2)]  # the first sample is interrupted in every step
    return case(
        "surplus_side_by_side", lengths, batch + 4, "partial", batch, batch + 4, train_time=25.5, resume_time=9.25
    )


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield waiting_for_all()
    yield thrown_away()
    yield continued()
    yield continued_for_free()
    yield continued_twice()
    yield few_slots(rng)
    yield surplus(rng)
    yield surplus_kept(rng)
    yield surplus_side_by_side(rng)

"""Each fixed trace tests one rule; in the random traces, workers and trainer take turns at random."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, train_batch, eta, max_concurrent, calls, **more):
    args = {"train_batch": train_batch, "eta": eta, "max_concurrent": max_concurrent, "calls": calls}
    return Case(name=name, args=args, **more)


SUBMIT, CONSUME, PUBLISH = ("submit",), ("consume",), ("publish",)


def by_hand():
    """Return the statement's trace."""
    start = [SUBMIT, SUBMIT, SUBMIT, SUBMIT, ("accept", 1), SUBMIT, ("reject", 0), CONSUME]
    end = [("accept", 0), CONSUME, PUBLISH, ("accept", 0), SUBMIT, ("accept", 0), CONSUME, ("restore", 1)]
    none = [[-9, -9], [-9, -9]]
    batches = [none] * 16
    batches[9], batches[14] = [[1, 0], [2, 0]], [[4, 1], [5, 0]]
    expected = {
        "results": [1, 1, 1, 0, -2, 1, -2, -1, -2, 2, -2, -2, 1, -2, 2, -2],
        "batches": batches,
        "capacity": [2, 1, 0, 0, 1, 0, 1, 1, 1, 1, 2, 3, 2, 2, 2, 3],
        "queued": [0, 0, 0, 0, 1, 1, 1, 1, 2, 0, 0, 1, 1, 2, 0, 0],
    }
    return case("by_hand", 2, 1, 3, start + end, visible=True, expected=expected)


def in_step(rng):
    """Return a trace with eta 0: no sample of the next batch may start before the version is published."""
    batch = randint(rng, 3, 5)
    once = [SUBMIT] * (batch + 2) + [("accept", 1)] * batch + [SUBMIT, CONSUME, SUBMIT, PUBLISH]
    return case("in_step", batch, 0, 3 * batch, once * 3)


def rejected(rng):
    """Return a trace in which most samples are rejected, and none of them may use up capacity."""
    batch = randint(rng, 3, 5)
    once = [SUBMIT] * batch + [("reject", 0)] * (batch - 1) + [("accept", 0)]
    return case("rejected", batch, 1, 2 * batch, once * (2 * batch - 1) + [SUBMIT] * 3)


def few_slots(rng):
    """Return a trace in which concurrency is the limit while finished samples accumulate in the queue."""
    batch = randint(rng, 4, 6)
    calls = ([SUBMIT] * 3 + [("accept", 0)] * 2) * 5 + [CONSUME, PUBLISH, SUBMIT, SUBMIT]
    return case("few_slots", batch, 3, 2, calls)


def restored(rng):
    """Return a trace that crashes with unfinished and queued samples and restarts from version 5."""
    batch = randint(rng, 3, 5)
    calls = [SUBMIT] * (2 * batch) + [("accept", 1)] * (batch - 1) + [("restore", 5)] + [SUBMIT] * (2 * batch + 2)
    calls += [("accept", 0)] * batch + [CONSUME, PUBLISH, SUBMIT]
    return case("restored", batch, 1, 3 * batch, calls)


def late_samples(rng):
    """Return a trace in which the first samples finish last, versions later."""
    batch = randint(rng, 2, 4)
    calls = [SUBMIT] * (3 * batch)
    for _ in range(3):
        calls += [("accept", -1)] * (batch + 1) + [CONSUME, PUBLISH] + [SUBMIT] * batch
    return case("late_samples", batch, 2, 4 * batch, [*calls, *[("accept", 0)] * (3 * batch), *[CONSUME] * 4])


def random_trace(rng):
    batch = randint(rng, 3, 5)
    calls = [SUBMIT] * 3
    for _ in range(70):
        kind = randint(rng, 0, 99)
        if kind < 45:
            calls.append(SUBMIT)
        elif kind < 85:
            calls.append(("reject" if kind < 52 else "accept", randint(rng, 0, 50)))
        else:
            calls += [CONSUME, SUBMIT, PUBLISH] if kind < 99 else [("restore", randint(rng, 2, 6))]
    # In any state, concurrency is the limit first, then versions, both before and after a restore.
    burst = [SUBMIT] * (2 * batch + 2) + [("accept", 0)] * (batch + 1) + [SUBMIT] * (batch + 2)
    fill = ([("accept", 0)] * (2 * batch) + [SUBMIT] * (2 * batch)) * 2
    drain = fill + [("accept", 0)] * (2 * batch) + [CONSUME, SUBMIT, PUBLISH] * 5
    again = [("restore", 7), SUBMIT, SUBMIT, ("reject", 0), ("reject", 0), *burst, CONSUME]
    last = [("restore", 40), SUBMIT, ("accept", 0), CONSUME, PUBLISH]
    return case("random_trace", batch, 2, 2 * batch, [*calls, *drain, *burst, CONSUME, *again, *last])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield in_step(rng)
    yield rejected(rng)
    yield few_slots(rng)
    yield restored(rng)
    yield late_samples(rng)
    yield random_trace(rng)

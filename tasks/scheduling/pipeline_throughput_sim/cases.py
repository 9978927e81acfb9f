"""The unit of time is random; each case fixes whether generation, its longest response, or training limits the run."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

WORK = (1.0, 0.7, 1.4, 0.9, 1.2, 0.6, 1.1, 1.0)
LONGEST = (0.9, 1.1, 1.0, 1.3, 0.8, 1.2, 0.7, 1.0)
TRAINING = (1.1, 1.0, 0.6, 1.3, 0.8, 1.0, 1.4, 0.9)


def around(rng, values, spread=0.01):
    """Return each value times a random factor close to 1."""
    factors = 1 - spread + 2 * spread * torch.rand(len(values), generator=rng, dtype=torch.float64)
    return (torch.tensor(values, dtype=torch.float64) * factors).tolist()


def case(name, mode, gpus, generation, training, switch, sync, eta=None, **more):
    args = {"mode": mode, "gpus": gpus, "generation": generation, "training": training}
    more_args = {} if eta is None else {"eta": eta}
    return Case(name=name, args={**args, "switch": switch, "sync": sync, **more_args}, **more)


def by_hand(name, mode, total_times, rollout_gpus, staleness, eta=None):
    """Return the statement's batches in one mode."""
    expected = {"total_times": total_times, "rollout_gpus": rollout_gpus, "staleness": staleness}
    generation, training = [(12, 2), (6, 8), (12, 4)], [8, 8, 12]
    return case(name, mode, 4, generation, training, 1, 1, eta, visible=True, expected=expected)


def equal_splits():
    """Return two splits with the same time: the longest response on 2 GPUs is as slow as training on 1."""
    # r = 1: 8 + (max(4, 8) + 2) + (4 + 2); r = 2: 4 + (max(8, 4) + 2) + (8 + 2).
    expected = {"total_times": [24.0, 24.0], "rollout_gpus": 1, "staleness": [0, 1]}
    return case("equal_splits", "one_step_off", 3, [(8, 4), (8, 4)], [8, 8], 5, 2, visible=True, expected=expected)


def one_batch():
    """Return a single batch: it is generated, trained on, and the new version is sent."""
    expected = {"total_times": [10 + 4 + 3.0, 6 + 6 + 3.0, 6 + 12 + 3.0], "rollout_gpus": 2, "staleness": [0]}
    return case("one_batch", "async", 4, [(10, 6)], [12], 7, 3, 1, visible=True, expected=expected)


LONGER = Relation(
    name="twice_as_long",
    says="If everything takes twice as long, so does the run, and nothing else changes.",
    change=lambda args: {
        **args,
        "generation": [(2 * work, 2 * longest) for work, longest in args["generation"]],
        "training": [2 * seconds for seconds in args["training"]],
        "switch": 2 * args["switch"],
        "sync": 2 * args["sync"],
    },
    expect=lambda out: {**out, "total_times": 2 * out["total_times"]},
)


def drawn(name, mode, rng, size, eta=None):
    """Return batches for 8 GPUs in a random unit of time; `size` is (work, longest, training), each on average.

    The batches differ from each other, but hardly from seed to seed, so that always the same phases have to wait.
    """
    unit = 0.5 + torch.rand((), generator=rng, dtype=torch.float64).item()
    shapes = zip(size, (WORK, LONGEST, TRAINING), strict=True)
    work, longest, training = (around(rng, [unit * mean * part for part in shape]) for mean, shape in shapes)
    switch, sync = around(rng, [30 * unit, 20 * unit])
    generation = list(zip(work, longest, strict=True))
    return case(name, mode, 8, generation, training, switch, sync, eta, relations=(LONGER,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand("hand_colocated", "colocated", [25.0], 4, [0, 0, 0])
    yield by_hand("hand_one_step_off", "one_step_off", [39.0, 29.0, 35.0], 2, [0, 1, 1])
    yield by_hand("hand_async", "async", [35.0, 26.0, 35.0], 2, [0, 1, 1], 1)
    yield equal_splits()
    yield one_batch()
    yield drawn("colocated_tail", "colocated", rng, (600.0, 150.0, 400.0))
    yield drawn("one_step_off_work", "one_step_off", rng, (1200.0, 40.0, 400.0))
    yield drawn("one_step_off_tail", "one_step_off", rng, (600.0, 150.0, 400.0))
    yield drawn("async_on_policy", "async", rng, (600.0, 150.0, 400.0), 0)
    yield drawn("async_tail", "async", rng, (1200.0, 450.0, 300.0), 6)
    yield drawn("async_slow_trainer", "async", rng, (200.0, 10.0, 3200.0), 2)

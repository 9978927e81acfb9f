"""Each case is drawn from the region where one limit is the smallest, far from the region's borders."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def uniform(rng, low, high):
    return low + (high - low) * float(torch.rand((), generator=rng))


def result(throughput, in_flight, mean_staleness, bottleneck, min_gpus):
    names = ("rollout", "trainer", "admission")
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": mean_staleness,
        "bottleneck": {name: name == bottleneck for name in names},
        "min_gpus": min_gpus,
    }


def literal(name, gpus, eta, expected, **more):
    args = {"train_batch": 256, "t_train": 60.0, "mean_latency": 90.0, "slots_per_gpu": 60, "gpus": gpus, "eta": eta}
    return Case(name=name, args={**args, **more}, visible=True, expected=expected)


def drawn(name, rng, limit, eta):
    """Return a case with half or twice as many slots as the rest of the system can use."""
    batch, t_train, slots_per_gpu = 32 * randint(rng, 4, 12), uniform(rng, 20, 80), randint(rng, 20, 70)
    ratio = uniform(rng, 1.5, 2.5) if limit == "admission" else uniform(rng, 0.3, 0.6)
    latency = t_train * ratio * (eta if eta else 1)
    usable = min(batch / t_train, (eta + 1) * batch / (latency + t_train)) * latency
    # Well between two whole numbers of GPUs, so that rounding does not decide how many are enough.
    slots_per_gpu = usable / (min(randint(rng, 4, 8), int(usable / 2)) - uniform(rng, 0.3, 0.7))
    enough = -int(-usable // slots_per_gpu)
    gpus = enough // 2 if limit == "rollout" else 2 * enough
    args = {"train_batch": batch, "t_train": t_train, "mean_latency": latency, "slots_per_gpu": slots_per_gpu}
    return Case(name=name, args={**args, "gpus": gpus, "eta": eta})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    # 4 * 60 / 90; the trainer takes 256 / 60 and needs 384 slots for it.
    yield literal("too_few_slots", 4, 4, result(240 / 90, 240.0, 240 / 256, "rollout", 7))
    yield literal("busy_trainer", 8, 4, result(256 / 60, 384.0, 4.0, "trainer", 7))
    # One batch after the other: 256 / 150, with 60% of the time in generation: 153.6 slots.
    yield literal("one_after_the_other", 8, 0, result(256 / 150, 153.6, 0.0, "admission", 3))
    # 512 / 150 is less than 256 / 60; 307.2 slots.
    yield literal("one_step_off", 8, 1, result(512 / 150, 307.2, 1.0, "admission", 6))
    yield literal("one_gpu", 1, 0, result(60 / 90, 60.0, 0.0, "rollout", 3))
    # 256 / 90 is less than 256 / 60, although training takes longer than generation; 85.3 slots.
    yield literal("long_training", 8, 0, result(256 / 90, 256 / 3, 0.0, "admission", 2), mean_latency=30.0)
    yield drawn("slots_drawn", rng, "rollout", randint(rng, 4, 6))
    yield drawn("trainer_drawn", rng, "trainer", randint(rng, 4, 6))
    yield drawn("admission_drawn", rng, "admission", randint(rng, 1, 4))

# expect: right
from fractions import Fraction


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    """Steady state from Little's law, in exact arithmetic until the end."""
    batch, step, latency, slots = (Fraction(x) for x in (train_batch, t_train, mean_latency, slots_per_gpu))
    places = (Fraction(eta) + 1) * batch

    by_rollout = slots * gpus / latency
    by_trainer = batch / step
    by_admission = places / (latency + step)

    rate, name = min((by_rollout, "rollout"), (by_trainer, "trainer"), (by_admission, "admission"))
    generating = rate * latency
    training = rate * step
    queue = places - generating - training if name == "trainer" else Fraction(0)
    staleness = min(Fraction(eta), (generating + queue) / batch)

    target = min(by_trainer, by_admission) * latency / slots
    enough = -(-target.numerator // target.denominator)

    return {
        "throughput": float(rate),
        "in_flight": float(generating),
        "mean_staleness": float(staleness),
        "bottleneck": name,
        "min_gpus": int(enough),
    }

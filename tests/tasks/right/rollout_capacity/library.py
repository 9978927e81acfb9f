from fractions import Fraction
from math import ceil
from operator import itemgetter


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    B, T, W, S = map(Fraction, (train_batch, t_train, mean_latency, slots_per_gpu))
    others = [("trainer", B / T), ("admission", (1 + eta) * B / (W + T))]
    bottleneck, rate = min([("rollout", gpus * S / W), *others], key=itemgetter(1))
    target = min(others, key=itemgetter(1))[1]
    staleness = Fraction(eta) if bottleneck != "rollout" else min(Fraction(eta), gpus * S / B)
    return {
        "throughput": float(rate),
        "in_flight": float(rate * W),
        "mean_staleness": float(staleness),
        "bottleneck": bottleneck,
        "min_gpus": ceil(target * W / S),
    }

# expect: wrong
# mistake: The samples in generation are the number of slots (or of places, if that is less) instead of throughput times latency, also where the slots are not the limit.
import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    slots = slots_per_gpu * gpus
    places = (eta + 1) * train_batch
    limits = {
        "rollout": slots / mean_latency,
        "trainer": train_batch / t_train,
        "admission": places / (mean_latency + t_train),
    }
    bottleneck = min(limits, key=limits.get)
    throughput = limits[bottleneck]
    in_flight = min(slots, places)
    if bottleneck == "trainer":
        mean_staleness = float(eta)
    else:
        mean_staleness = min(float(eta), throughput * mean_latency / train_batch)
    rest = min(limits["trainer"], limits["admission"])
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": mean_staleness,
        "bottleneck": bottleneck,
        "min_gpus": math.ceil(rest * mean_latency / slots_per_gpu),
    }

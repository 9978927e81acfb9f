# expect: wrong
# mistake: The smallest number of GPUs looks at the trainer's limit only, also where the admission limit is lower.
import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    per_gpu = slots_per_gpu / mean_latency
    consumption = train_batch / t_train
    admitted = (1 + eta) * train_batch / (t_train + mean_latency)

    candidates = [("rollout", per_gpu * gpus), ("trainer", consumption), ("admission", admitted)]
    bottleneck, throughput = sorted(candidates, key=lambda pair: pair[1])[0]
    in_flight = throughput * mean_latency

    staleness = in_flight / train_batch
    if bottleneck == "trainer" or staleness > eta:
        staleness = eta

    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": staleness,
        "bottleneck": bottleneck,
        "min_gpus": math.ceil(consumption / per_gpu),
    }

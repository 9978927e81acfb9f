# expect: right
import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    limits = {
        "rollout": slots_per_gpu * gpus / mean_latency,
        "trainer": train_batch / t_train,
        "admission": (eta + 1) * train_batch / (mean_latency + t_train),
    }
    bottleneck = min(limits, key=limits.get)
    throughput = limits[bottleneck]
    in_flight = throughput * mean_latency
    if bottleneck == "trainer":
        staleness = eta
    else:
        staleness = min(eta, in_flight / train_batch)
    wanted = min(limits["trainer"], limits["admission"])
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": staleness,
        "bottleneck": bottleneck,
        "min_gpus": math.ceil(wanted * mean_latency / slots_per_gpu),
    }

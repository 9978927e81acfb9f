import math


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    cap = (eta + 1) * train_batch
    gen_rate = slots_per_gpu * gpus / mean_latency
    train_rate = train_batch / t_train
    adm_rate = cap / (mean_latency + t_train)
    throughput = min(gen_rate, train_rate, adm_rate)
    if throughput == gen_rate:
        bottleneck = "rollout"
    elif throughput == train_rate:
        bottleneck = "trainer"
    else:
        bottleneck = "admission"
    in_flight = throughput * mean_latency
    queue = cap - train_batch - in_flight if bottleneck == "trainer" else 0.0
    staleness = min((in_flight + queue) / train_batch, float(eta))
    target = train_rate
    min_gpus = math.ceil(target * mean_latency / slots_per_gpu)
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": staleness,
        "bottleneck": bottleneck,
        "min_gpus": min_gpus,
    }

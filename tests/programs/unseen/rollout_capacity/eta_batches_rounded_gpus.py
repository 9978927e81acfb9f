# expect: wrong
# mistake: The admission rule has eta batches of places instead of eta + 1.
# mistake: The smallest number of GPUs is rounded to the nearest instead of up.
def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    rollout = slots_per_gpu * gpus / mean_latency
    trainer = train_batch / t_train
    admission = eta * train_batch / (mean_latency + t_train)
    throughput, bottleneck = min((rollout, "rollout"), (trainer, "trainer"), (admission, "admission"))
    in_flight = throughput * mean_latency
    if bottleneck == "trainer":
        mean_staleness = eta
    else:
        mean_staleness = min(in_flight / train_batch, eta)
    target = min(trainer, admission)
    return {
        "throughput": throughput,
        "in_flight": in_flight,
        "mean_staleness": mean_staleness,
        "bottleneck": bottleneck,
        "min_gpus": max(1, round(target * mean_latency / slots_per_gpu)),
    }

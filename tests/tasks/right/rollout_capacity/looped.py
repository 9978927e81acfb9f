def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    def limits(number):
        return [
            (number * slots_per_gpu / mean_latency, "rollout"),
            (train_batch / t_train, "trainer"),
            ((eta + 1) * train_batch / (mean_latency + t_train), "admission"),
        ]

    rate, name = sorted(limits(gpus))[0]
    running = rate * mean_latency
    queued = 0.0
    if name == "trainer":
        queued = (eta + 1) * train_batch - train_batch - running
    staleness = (running + queued) / train_batch
    if staleness > eta:
        staleness = float(eta)
    enough = 1
    while sorted(limits(enough))[0][1] == "rollout":
        enough += 1
    return {
        "throughput": rate,
        "in_flight": running,
        "mean_staleness": staleness,
        "bottleneck": name,
        "min_gpus": enough,
    }

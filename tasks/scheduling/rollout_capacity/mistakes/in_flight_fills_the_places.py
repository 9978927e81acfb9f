from math import ceil


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    places = train_batch * (eta + 1)
    limits = [
        ("rollout", gpus * slots_per_gpu / mean_latency),
        ("trainer", train_batch / t_train),
        ("admission", places / (mean_latency + t_train)),
    ]
    name, rate = min(limits, key=lambda limit: limit[1])
    running = rate * mean_latency
    before_trainer = running
    if name == "trainer":
        before_trainer = places - train_batch
    wanted = min(limit for _, limit in limits[1:])
    return dict(
        throughput=rate,
        in_flight=min(gpus * slots_per_gpu, places),
        mean_staleness=min(float(eta), before_trainer / train_batch),
        bottleneck=name,
        min_gpus=ceil(wanted * mean_latency / slots_per_gpu),
    )

# expect: wrong
# mistake: With "async", the staleness of batch i is min(i, eta), the allowed lag, instead of i minus the newest version that was available when its generation started.
def gen_seconds(batch, r):
    return max(batch[0] / r, batch[1])


def async_total(generation, training, r, t, sync, eta):
    published = {0: 0.0}
    next_start = 0.0
    for i, batch in enumerate(generation):
        start = max(next_start, published[max(0, i - eta)])
        next_start = start + batch[0] / r
        train_start = max(start + gen_seconds(batch, r), published[i])
        published[i + 1] = train_start + training[i] / t + sync
    return published[len(training)]


def one_step_off_total(generation, training, r, t, sync):
    total = gen_seconds(generation[0], r)
    for batch, step in zip(generation[1:], training[:-1]):
        total += max(gen_seconds(batch, r), step / t) + sync
    return total + training[-1] / t + sync


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    n = len(training)
    if mode == "colocated":
        total = 0.0
        for batch, step in zip(generation, training):
            total += gen_seconds(batch, gpus) + step / gpus + switch
        return {"total_times": [total], "rollout_gpus": gpus, "staleness": [0] * n}

    lag = 1 if mode == "one_step_off" else eta
    totals = []
    for r in range(1, gpus):
        if mode == "one_step_off":
            totals.append(float(one_step_off_total(generation, training, r, gpus - r, sync)))
        else:
            totals.append(float(async_total(generation, training, r, gpus - r, sync, eta)))
    rollout_gpus = min(range(1, gpus), key=lambda r: totals[r - 1])
    return {"total_times": totals, "rollout_gpus": rollout_gpus, "staleness": [min(i, lag) for i in range(n)]}

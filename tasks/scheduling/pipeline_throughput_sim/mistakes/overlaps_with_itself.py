def generation_time(pair, r):
    work, longest = pair
    return max(work / r, longest)


def run_one_step_off(generation, training, r, t, sync):
    n = len(training)
    now = 0.0
    staleness = [0]
    for i in range(n):
        duration = training[i] / t
        duration = max(duration, generation_time(generation[i], r))
        if i:
            staleness.append(1)
        now += duration
        now += sync
    return now, staleness


def run_async(generation, training, r, t, sync, eta):
    n = len(training)
    available = [0.0] * (n + 1)
    now = 0.0
    staleness = []
    for i in range(n):
        work, longest = generation[i]
        start = now
        if i - eta > 0:
            start = max(start, available[i - eta])
        newest = 0
        for v in range(1, i + 1):
            if available[v] <= start:
                newest = v
        staleness.append(i - newest)
        now = start + work / r
        complete = start + max(work / r, longest)
        begin = max(start, available[i])
        end = max(complete, begin + training[i] / t)
        available[i + 1] = end + sync
    return available[n], staleness


def run_colocated(generation, training, gpus, switch):
    total = 0.0
    for i in range(len(training)):
        total += generation_time(generation[i], gpus)
        total += switch
        total += training[i] / gpus
    return total


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    if mode == "colocated":
        total = run_colocated(generation, training, gpus, switch)
        return {"total_times": [total], "rollout_gpus": gpus, "staleness": [0] * len(training)}
    times = []
    lags = []
    for r in range(1, gpus):
        if mode == "one_step_off":
            time, lag = run_one_step_off(generation, training, r, gpus - r, sync)
        else:
            time, lag = run_async(generation, training, r, gpus - r, sync, eta)
        times.append(time)
        lags.append(lag)
    best = times.index(min(times))
    return {"total_times": times, "rollout_gpus": best + 1, "staleness": lags[best]}

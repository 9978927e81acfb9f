# expect: wrong
# mistake: eta=0 is replaced by 1 with `eta or 1`, so a batch may lag by one version although no lag is allowed.
def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    n = len(training)
    if mode == "colocated":
        total = sum(max(generation[i][0] / gpus, generation[i][1]) + training[i] / gpus + switch for i in range(n))
        return {"total_times": [float(total)], "rollout_gpus": gpus, "staleness": [0] * n}

    max_lag = eta or 1
    total_times, staleness_by_split = [], []
    for rollout in range(1, gpus):
        trainer = gpus - rollout
        starts = [0.0] * n
        versions = [0.0] + [None] * n
        if mode == "one_step_off":
            clock = max(generation[0][0] / rollout, generation[0][1])
            for i in range(n):
                end = clock + training[i] / trainer
                if i + 1 < n:
                    starts[i + 1] = clock
                    end = max(end, clock + max(generation[i + 1][0] / rollout, generation[i + 1][1]))
                clock = end + sync
                versions[i + 1] = clock
        else:
            for i in range(n):
                if i > 0:
                    starts[i] = starts[i - 1] + generation[i - 1][0] / rollout
                if i > max_lag:
                    starts[i] = max(starts[i], versions[i - max_lag])
                complete = starts[i] + max(generation[i][0] / rollout, generation[i][1])
                versions[i + 1] = max(complete, versions[i]) + training[i] / trainer + sync
        lags = []
        for i in range(n):
            newest = sum(1 for when in versions[1:] if when <= starts[i])
            lags.append(i - newest)
        total_times.append(float(versions[n]))
        staleness_by_split.append(lags)

    best = 0
    for k in range(1, gpus - 1):
        if total_times[k] < total_times[best]:
            best = k
    return {"total_times": total_times, "rollout_gpus": best + 1, "staleness": staleness_by_split[best]}

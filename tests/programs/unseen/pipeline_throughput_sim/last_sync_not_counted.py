# expect: wrong
# mistake: The run ends with the last training step in "one_step_off" and "async", so the time for sending the last version is missing.
def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    steps = len(training)
    if mode == "colocated":
        step_times = [max(work / gpus, longest) + train / gpus + switch
                      for (work, longest), train in zip(generation, training)]
        return {"total_times": [float(sum(step_times))], "rollout_gpus": gpus, "staleness": [0] * steps}

    def simulate(r):
        t = gpus - r
        full = [max(work / r, longest) for work, longest in generation]
        busy = [work / r for work, _ in generation]
        train = [x / t for x in training]
        starts, ready = [], [0.0]
        if mode == "one_step_off":
            starts.append(0.0)
            now = full[0]
            for i in range(steps):
                if i + 1 < steps:
                    starts.append(now)
                    now += max(train[i], full[i + 1]) + sync
                    ready.append(now)
                else:
                    now += train[i]
            total = now
        else:
            for i in range(steps):
                start = 0.0 if i == 0 else starts[-1] + busy[i - 1]
                if i >= eta:
                    start = max(start, ready[i - eta])
                starts.append(start)
                trained = max(start + full[i], ready[i]) + train[i]
                ready.append(trained + sync)
            total = trained
        staleness = [i - max(v for v in range(len(ready)) if ready[v] <= s) for i, s in enumerate(starts)]
        return float(total), staleness

    results = [simulate(r) for r in range(1, gpus)]
    times = [total for total, _ in results]
    best = times.index(min(times))
    return {"total_times": times, "rollout_gpus": best + 1, "staleness": results[best][1]}

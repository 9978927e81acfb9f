# expect: right
def _one_step_off(r, t, generation, training, sync):
    gen = [max(w / r, longest) for w, longest in generation]
    now = gen[0]
    for i, step in enumerate(training):
        following = gen[i + 1] if i + 1 < len(gen) else 0.0
        now += max(step / t, following) + sync
    return now, [min(i, 1) for i in range(len(gen))]


def _async(r, t, generation, training, sync, eta):
    available = [0.0]                 # available[v]: when version v reaches the rollout GPUs
    staleness = []
    free = 0.0
    for i, (work, longest) in enumerate(generation):
        start = max(free, available[max(i - eta, 0)])
        free = start + work / r
        done = start + max(work / r, longest)
        newest = max(v for v, when in enumerate(available) if when <= start)
        staleness.append(i - newest)
        available.append(max(done, available[i]) + training[i] / t + sync)
    return available[-1], staleness


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    if mode == "colocated":
        total = sum(max(w / gpus, longest) + step / gpus + switch for (w, longest), step in zip(generation, training))
        return {"total_times": [float(total)], "rollout_gpus": gpus, "staleness": [0] * len(generation)}
    runs = []
    for r in range(1, gpus):
        if mode == "one_step_off":
            runs.append(_one_step_off(r, gpus - r, generation, training, sync))
        else:
            runs.append(_async(r, gpus - r, generation, training, sync, eta))
    times = [float(total) for total, _ in runs]
    best = times.index(min(times))
    return {"total_times": times, "rollout_gpus": best + 1, "staleness": runs[best][1]}

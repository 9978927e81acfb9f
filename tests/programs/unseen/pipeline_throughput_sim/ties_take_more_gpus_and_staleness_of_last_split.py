# expect: wrong
# mistake: Two mistakes: among equally short runs the largest r is returned, and the staleness is that of the last simulated split (r = gpus - 1) instead of the best one.
def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    if mode == "colocated":
        total = 0.0
        for (work, longest), train in zip(generation, training):
            total += max(work / gpus, longest)
            total += train / gpus
            total += switch
        return {"total_times": [total], "rollout_gpus": gpus, "staleness": [0] * len(training)}

    total_times = []
    best_time = float("inf")
    rollout_gpus = 1
    for r in range(1, gpus):
        t = gpus - r
        staleness = []
        if mode == "one_step_off":
            time = float(max(generation[0][0] / r, generation[0][1]))
            for i, train in enumerate(training):
                longest_part = train / t
                if i + 1 < len(generation):
                    work, longest = generation[i + 1]
                    longest_part = max(longest_part, work / r, longest)
                time += longest_part + sync
                staleness.append(0 if i == 0 else 1)
        else:
            available = [0.0]
            free = 0.0
            for i, (work, longest) in enumerate(generation):
                start = max(free, available[max(i - eta, 0)])
                free = start + work / r
                version = len(available) - 1
                while available[version] > start:
                    version -= 1
                staleness.append(i - version)
                begin = max(available[-1], start + max(work / r, longest))
                available.append(begin + train_time(training[i], t) + sync)
            time = available[-1]
        total_times.append(time)
        if time <= best_time:
            best_time = time
            rollout_gpus = r
    return {"total_times": total_times, "rollout_gpus": rollout_gpus, "staleness": staleness}


def train_time(gpu_seconds, t):
    return gpu_seconds / t

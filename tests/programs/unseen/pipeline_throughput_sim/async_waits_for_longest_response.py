# expect: wrong
# mistake: With "async", the next batch starts only when the old batch is complete including its longest response, instead of when its work is done.
def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    n = len(training)

    def gen_time(i, r):
        work, longest = generation[i]
        return max(work / r, longest)

    if mode == "colocated":
        total = 0.0
        for i in range(n):
            total += gen_time(i, gpus) + training[i] / gpus + switch
        return {"total_times": [total], "rollout_gpus": gpus, "staleness": [0] * n}

    total_times, all_staleness = [], []
    for r in range(1, gpus):
        t = gpus - r
        if mode == "one_step_off":
            clock = gen_time(0, r)
            for i in range(n - 1):
                clock += max(training[i] / t, gen_time(i + 1, r)) + sync
            clock += training[n - 1] / t + sync
            staleness = [0] + [1] * (n - 1)
        else:
            version_at = [0.0] * (n + 1)
            staleness = []
            rollout_free = 0.0
            for i in range(n):
                begin = rollout_free
                if i - eta > 0:
                    begin = max(begin, version_at[i - eta])
                have = 0
                while have < i and version_at[have + 1] <= begin:
                    have += 1
                staleness.append(i - have)
                rollout_free = begin + gen_time(i, r)
                version_at[i + 1] = max(rollout_free, version_at[i]) + training[i] / t + sync
            clock = version_at[n]
        total_times.append(float(clock))
        all_staleness.append(staleness)

    best = min(range(gpus - 1), key=lambda k: total_times[k])
    return {"total_times": total_times, "rollout_gpus": best + 1, "staleness": all_staleness[best]}

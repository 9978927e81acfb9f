from functools import cache


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    """Recursive definitions of when each thing starts and ends."""
    n = len(training)

    def simulate(r):
        t = gpus - r

        @cache
        def available(v):
            if v == 0:
                return 0.0
            if mode == "async":
                return max(whole(v - 1), available(v - 1)) + training[v - 1] / t + sync
            both = [training[v - 1] / t] + ([length(v)] if v < n else [])
            return round_start(v - 1) + max(both) + sync

        @cache
        def round_start(i):
            return length(0) if i == 0 else available(i)

        def length(i):
            work, longest = generation[i]
            return max(work / r, longest)

        @cache
        def start(i):
            if mode == "one_step_off":
                return 0.0 if i == 0 else round_start(i - 1)
            bulk = start(i - 1) + generation[i - 1][0] / r if i else 0.0
            return max(bulk, available(max(i - eta, 0)))

        def whole(i):
            return start(i) + length(i)

        def newest(i):
            if mode == "one_step_off":
                return max(0, i - 1)
            return max(v for v in range(i + 1) if available(v) <= start(i))

        return available(n), [i - newest(i) for i in range(n)]

    if mode == "colocated":
        total = sum(max(w / gpus, longest) + s / gpus + switch for (w, longest), s in zip(generation, training))
        return {"total_times": [total], "rollout_gpus": gpus, "staleness": [0] * n}
    results = {r: simulate(r) for r in range(1, gpus)}
    best = min(results, key=lambda r: results[r][0])
    return {
        "total_times": [results[r][0] for r in sorted(results)],
        "rollout_gpus": best,
        "staleness": results[best][1],
    }

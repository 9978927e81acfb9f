# expect: right
from bisect import bisect_right
from fractions import Fraction


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    work = [Fraction(w) for w, _ in generation]
    tail = [Fraction(l) for _, l in generation]
    train = [Fraction(x) for x in training]
    switch, sync = Fraction(switch), Fraction(sync)
    n = len(train)

    if mode == "colocated":
        total = n * switch
        for i in range(n):
            total += max(work[i] / gpus, tail[i]) + train[i] / gpus
        return {"total_times": [float(total)], "rollout_gpus": gpus, "staleness": [0] * n}

    def simulate(r):
        t = gpus - r
        gen_start, published = [None] * n, [Fraction(0)]
        for i in range(n):
            if mode == "one_step_off":
                gen_start[i] = Fraction(0) if i == 0 else train_start
                gen_end = gen_start[i] + max(work[i] / r, tail[i])
                if i > 0:
                    published.append(max(train_start + train[i - 1] / t, gen_end) + sync)
                    train_start = published[-1]
                else:
                    train_start = gen_end
                if i == n - 1:
                    published.append(train_start + train[i] / t + sync)
            else:
                gate = published[i - eta] if i > eta else Fraction(0)
                engine_free = gen_start[i - 1] + work[i - 1] / r if i else Fraction(0)
                gen_start[i] = max(gate, engine_free)
                train_start = max(gen_start[i] + max(work[i] / r, tail[i]), published[i])
                published.append(train_start + train[i] / t + sync)
        stale = [i - (bisect_right(published, s) - 1) for i, s in enumerate(gen_start)]
        return published[-1], stale

    results = {r: simulate(r) for r in range(1, gpus)}
    best = min(results, key=lambda r: (results[r][0], r))
    return {"total_times": [float(results[r][0]) for r in range(1, gpus)], "rollout_gpus": best,
            "staleness": results[best][1]}

# expect: wrong
# mistake: With "async", the next training step starts as soon as the last one has ended, while the new version is still being sent, instead of after it has been sent.
class Run:
    def __init__(self, r, t, generation, training, sync):
        self.r, self.t, self.sync = r, t, sync
        self.generation, self.training = generation, training
        self.n = len(training)

    def gen(self, i):
        return max(self.generation[i][0] / self.r, self.generation[i][1])

    def one_step_off(self):
        time = self.gen(0)
        for i in range(self.n):
            train = self.training[i] / self.t
            gen = self.gen(i + 1) if i < self.n - 1 else 0
            time = time + max(train, gen) + self.sync
        return float(time), [0 if i == 0 else 1 for i in range(self.n)]

    def asynchronous(self, eta):
        rollout_free = trainer_free = 0.0
        avail = [0.0]
        lag = []
        for i in range(self.n):
            start = rollout_free
            if i > eta:
                start = max(start, avail[i - eta])
            rollout_free = start + self.generation[i][0] / self.r
            lag.append(i - max(v for v in range(len(avail)) if avail[v] <= start))
            trainer_free = max(trainer_free, start + self.gen(i)) + self.training[i] / self.t
            avail.append(trainer_free + self.sync)
        return float(avail[-1]), lag


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    if mode == "colocated":
        total = sum(max(w / gpus, l) for w, l in generation) + sum(training) / gpus + switch * len(training)
        return {"total_times": [float(total)], "rollout_gpus": gpus, "staleness": [0 for _ in training]}
    best_r, best_time, best_lag, times = None, float("inf"), None, []
    for r in range(1, gpus):
        run = Run(r, gpus - r, generation, training, sync)
        time, lag = run.one_step_off() if mode == "one_step_off" else run.asynchronous(eta)
        times.append(time)
        if time < best_time:
            best_r, best_time, best_lag = r, time, lag
    return {"total_times": times, "rollout_gpus": best_r, "staleness": best_lag}

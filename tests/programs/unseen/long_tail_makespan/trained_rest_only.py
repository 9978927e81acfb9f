# expect: wrong
# mistake: The mean trained length uses the tokens that a sample got in its last step only, not the whole length of a sample that was continued.
import heapq

import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    started = batch if mode == "sync" else started
    stream = iter([float(length) for length in lengths])
    n_left = len(lengths)
    carry = []  # (tokens that are missing, whether there are any tokens yet)
    step_times, trained = [], []
    generated = wasted = 0.0

    while len(carry) + n_left >= started:
        jobs = list(carry)
        while len(jobs) < started:
            jobs.append((next(stream), False))
            n_left -= 1
        free = [0.0] * slots
        timeline = []
        for need, resumed in jobs:
            start = heapq.heappop(free) + (resume_time if resumed else 0.0)
            heapq.heappush(free, start + need)
            timeline.append((start + need, start))
        ranked = sorted(range(started), key=lambda j: timeline[j])
        stop = timeline[ranked[batch - 1]][0]
        winners = frozenset(ranked[:batch])
        carry = []
        for j, (need, resumed) in enumerate(jobs):
            if j in winners:
                trained.append(need)
                generated += need
            else:
                got = max(0.0, stop - timeline[j][1])
                generated += got
                if mode == "partial":
                    carry.append((need - got, resumed or got > 0))
                else:
                    wasted += got
        step_times.append(stop + train_time)

    total_time = sum(step_times)
    return {
        "step_times": torch.tensor(step_times, dtype=torch.float64),
        "utilisation": generated / (slots * total_time),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }

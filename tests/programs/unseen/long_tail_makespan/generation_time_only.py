# expect: wrong
# mistake: The utilisation is divided by the time of generation only; the time of training is left out.
import heapq

import torch


def one_step(jobs, slots, batch, resume_time):
    """Return the stop time, the indices of the finished jobs and the new tokens of every job."""
    heap = [(0.0, slot) for slot in range(slots)]
    starts, ends = [], []
    for total, have in jobs:
        time, slot = heapq.heappop(heap)
        start = time + resume_time if have else time
        end = start + total - have
        heapq.heappush(heap, (end, slot))
        starts.append(start)
        ends.append(end)
    ranking = sorted(range(len(jobs)), key=lambda i: ends[i])[:batch]
    stop = ends[ranking[-1]]
    finished = set(ranking)
    tokens = [
        total - have if i in finished else max(0.0, stop - starts[i]) for i, (total, have) in enumerate(jobs)
    ]
    return stop, finished, tokens


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    fresh = [(float(length), 0.0) for length in lengths]
    per_step = batch if started is None or mode == "sync" else started
    left = []
    stops, trained = [], []
    all_tokens = thrown_away = 0.0
    while len(left) + len(fresh) >= per_step:
        count = per_step - len(left)
        jobs, fresh = left + fresh[:count], fresh[count:]
        stop, finished, tokens = one_step(jobs, slots, batch, resume_time)
        all_tokens += sum(tokens)
        trained += [jobs[i][0] for i in finished]
        others = [(total, have + tokens[i]) for i, (total, have) in enumerate(jobs) if i not in finished]
        if mode == "partial":
            left = others
        else:
            thrown_away += sum(have for _, have in others)
        stops.append(stop)
    generation = torch.tensor(stops, dtype=torch.float64)
    return {
        "step_times": generation + train_time,
        "utilisation": all_tokens / (slots * float(generation.sum())),
        "wasted_tokens": thrown_away,
        "mean_trained_length": sum(trained) / len(trained),
    }

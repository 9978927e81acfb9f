# expect: right
import heapq

import torch


def schedule(jobs, slots, resume_time):
    """Return the time at which each job's slot is given to it, and that at which the job would be finished."""
    free = [0.0] * slots
    heapq.heapify(free)
    spans = []
    for length, done in jobs:
        begin = heapq.heappop(free)
        first_token = begin + (resume_time if done > 0 else 0.0)
        end = first_token + (length - done)
        heapq.heappush(free, end)
        spans.append((first_token, end))
    return spans


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    lengths = [float(length) for length in lengths]
    list_size = batch if mode == "sync" else started
    position = 0
    unfinished = []
    step_times, trained = [], []
    generated = wasted = 0.0
    while position + list_size - len(unfinished) <= len(lengths):
        n_new = list_size - len(unfinished)
        jobs = unfinished + [(length, 0.0) for length in lengths[position : position + n_new]]
        position += n_new
        unfinished = []

        spans = schedule(jobs, slots, resume_time)
        in_order = sorted(range(list_size), key=lambda k: spans[k][1])
        winners = set(in_order[:batch])
        stop = spans[in_order[batch - 1]][1]
        for k, (length, done) in enumerate(jobs):
            if k in winners:
                generated += length - done
                trained.append(length)
                continue
            fresh = max(0.0, stop - spans[k][0])
            generated += fresh
            if mode == "partial":
                unfinished.append((length, done + fresh))
            else:
                wasted += done + fresh
        step_times.append(stop + train_time)
    return {
        "step_times": torch.tensor(step_times, dtype=torch.float64),
        "utilisation": generated / (slots * sum(step_times)),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }

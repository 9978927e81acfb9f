# expect: wrong
# mistake: With "partial" the unfinished samples come after the new ones in the list instead of before them.
# mistake: The wasted tokens of "over_provision" are the whole lengths of the samples thrown away, not the tokens generated for them.
import heapq

import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    size = batch if mode == "sync" else started
    cursor, unfinished = 0, []
    times, trained = [], []
    generated = wasted = 0.0
    while cursor + size - len(unfinished) <= len(lengths):
        n_new = size - len(unfinished)
        jobs = [(float(length), 0.0) for length in lengths[cursor : cursor + n_new]]
        jobs.extend(unfinished)
        cursor += n_new
        free = [0.0] * slots
        spans = []
        for length, have in jobs:
            start = heapq.heappop(free) + (resume_time if have > 0 else 0)
            end = start + length - have
            heapq.heappush(free, end)
            spans.append((start, end))
        stop = sorted(end for _, end in spans)[batch - 1]
        unfinished = []
        for (length, have), (start, end) in zip(jobs, spans):
            if end <= stop:
                generated += length - have
                trained.append(length)
            else:
                new = max(0.0, stop - start)
                generated += new
                if mode == "partial":
                    unfinished.append((length, have + new))
                else:
                    wasted += length
        times.append(stop + train_time)
    return {
        "step_times": torch.tensor(times, dtype=torch.float64),
        "utilisation": generated / (slots * sum(times)),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }

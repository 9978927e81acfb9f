# expect: wrong
# mistake: It makes one more step from the samples left at the end, although they do not fill a whole list, if there are at least batch of them.
import heapq

import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    size = batch if mode == "sync" else started
    cursor, backlog = 0, []
    result_times, trained = [], []
    tokens = waste = 0.0
    while True:
        jobs = list(backlog)
        new = lengths[cursor : cursor + size - len(jobs)]
        cursor += len(new)
        jobs += [(float(length), 0.0) for length in new]
        if len(jobs) < batch:
            break
        slots_free = [0.0] * slots
        plan = []
        for index, (length, have) in enumerate(jobs):
            start = heapq.heappop(slots_free)
            if have > 0:
                start += resume_time
            plan.append((start + length - have, start, index))
            heapq.heappush(slots_free, start + length - have)
        finished = sorted(plan)[:batch]
        stop = finished[-1][0]
        done = {index for _, _, index in finished}
        backlog = []
        for _, start, index in plan:
            length, have = jobs[index]
            if index in done:
                tokens += length - have
                trained.append(length)
                continue
            got = max(0.0, stop - start)
            tokens += got
            if mode == "partial":
                backlog.append((length, have + got))
            else:
                waste += got
        result_times.append(stop + train_time)
    return {
        "step_times": torch.tensor(result_times, dtype=torch.float64),
        "utilisation": tokens / (slots * sum(result_times)),
        "wasted_tokens": waste,
        "mean_trained_length": sum(trained) / len(trained),
    }

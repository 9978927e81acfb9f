# expect: wrong
# mistake: A sample left over from the step before pays resume_time even if it has no tokens yet.
import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    size = batch if mode == "sync" else started
    queue = [float(x) for x in lengths]
    interrupted = []
    times, trained, produced, wasted = [], [], 0.0, 0.0
    while len(interrupted) + len(queue) >= size:
        n_new = size - len(interrupted)
        jobs = [(length, have, resume_time) for length, have in interrupted]
        jobs += [(length, 0.0, 0.0) for length in queue[:n_new]]
        del queue[:n_new]

        free = torch.zeros(slots, dtype=torch.float64)
        first, last = [], []
        for length, have, overhead in jobs:
            slot = int(free.argmin())
            first.append(free[slot].item() + overhead)
            last.append(first[-1] + length - have)
            free[slot] = last[-1]
        order = torch.tensor(last, dtype=torch.float64).argsort(stable=True).tolist()
        stop = last[order[batch - 1]]
        complete = set(order[:batch])
        interrupted = []
        for i, (length, have, _) in enumerate(jobs):
            new = length - have if i in complete else max(0.0, stop - first[i])
            produced += new
            if i in complete:
                trained.append(length)
            elif mode == "partial":
                interrupted.append((length, have + new))
            else:
                wasted += new
        times.append(stop + train_time)
    step_times = torch.tensor(times, dtype=torch.float64)
    return {
        "step_times": step_times,
        "utilisation": produced / (slots * step_times.sum().item()),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }

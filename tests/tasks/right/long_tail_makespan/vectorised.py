import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    total = torch.tensor(lengths, dtype=torch.float64)
    done = torch.zeros_like(total)
    width = started if mode != "sync" else batch
    queue = torch.arange(len(total))
    times, used, lost, trained = [], 0.0, 0.0, []
    while len(queue) >= width:
        ids, rest = queue[:width], queue[width:]
        pause = torch.where(done[ids] > 0, float(resume_time), 0.0)
        need = total[ids] - done[ids]
        free = torch.zeros(slots, dtype=torch.float64)
        begin = torch.zeros(width, dtype=torch.float64)
        for i in range(width):
            slot = free.argmin()
            begin[i] = free[slot] + pause[i]
            free[slot] = begin[i] + need[i]
        end = begin + need
        stop = end.kthvalue(batch).values
        made = (torch.minimum(end, stop) - begin).clamp(min=0)
        ready = end <= stop
        used += made.sum()
        trained.append(total[ids[ready]])
        if mode == "partial":
            done[ids] += made
            queue = torch.cat([ids[~ready], rest])
        else:
            lost += made[~ready].sum()
            queue = rest
        times.append(stop + train_time)
    times = torch.stack(times)
    return {
        "step_times": times,
        "utilisation": float(used / times.sum() / slots),
        "wasted_tokens": float(lost),
        "mean_trained_length": float(torch.cat(trained).mean()),
    }

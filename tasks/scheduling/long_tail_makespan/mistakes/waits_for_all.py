import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    n = batch if mode == "sync" else started
    todo = [(length, 0.0) for length in lengths]
    times, trained = [], []
    generated = wasted = 0.0
    while len(todo) >= n:
        current, todo = todo[:n], todo[n:]
        free_at = [0.0] * slots
        runs = []
        for length, done in current:
            slot = free_at.index(min(free_at))
            start = free_at[slot]
            if done > 0:
                start += resume_time
            finish = start + (length - done)
            free_at[slot] = finish
            runs.append((start, finish))
        cutoff = sorted(finish for _, finish in runs)[-1]
        left = []
        for (length, done), (start, finish) in zip(current, runs):
            if finish <= cutoff and (mode == 'sync' or finish <= sorted(f for _, f in runs)[batch - 1]):
                generated += length - done
                trained.append(length)
            else:
                tokens = max(0.0, min(cutoff, finish) - start)
                generated += tokens
                if mode == "partial":
                    left.append((length, done + tokens))
                else:
                    wasted += tokens
        todo = left + todo
        times.append(cutoff + train_time)
    return {
        "step_times": torch.tensor(times, dtype=torch.float64),
        "utilisation": generated / (slots * sum(times)),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }

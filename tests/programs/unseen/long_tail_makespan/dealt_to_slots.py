# expect: wrong
# mistake: Samples are dealt to the slots in turn (sample k goes to slot k modulo slots) instead of to the slot that is free first.
import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return {"step_times": float64 tensor; "utilisation", "wasted_tokens", "mean_trained_length": floats}."""
    size = batch if mode == "sync" else started
    taken, pending = 0, []
    times, trained = [], []
    generated = wasted = 0.0
    while taken + size - len(pending) <= len(lengths):
        need = size - len(pending)
        work = pending + [[float(x), 0.0] for x in lengths[taken : taken + need]]
        taken += need
        clock = [0.0] * slots
        begin, end = [], []
        for k, (length, have) in enumerate(work):
            slot = k % slots
            begin.append(clock[slot] + (resume_time if have > 0 else 0.0))
            end.append(begin[-1] + length - have)
            clock[slot] = end[-1]
        order = sorted(range(size), key=end.__getitem__)
        stop = end[order[batch - 1]]
        done = set(order[:batch])
        pending = []
        for k, (length, have) in enumerate(work):
            if k in done:
                generated += length - have
                trained.append(length)
            else:
                made = max(stop - begin[k], 0.0)
                generated += made
                if mode == "partial":
                    pending.append([length, have + made])
                else:
                    wasted += made
        times.append(stop + train_time)
    return {
        "step_times": torch.tensor(times, dtype=torch.float64),
        "utilisation": generated / (slots * sum(times)),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }

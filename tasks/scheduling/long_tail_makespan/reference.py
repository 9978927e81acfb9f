"""A step is a list schedule that stops when the batch is full; the mode decides what happens to unfinished samples."""

import heapq

import torch


def long_tail_makespan(lengths, slots, mode, train_time, batch, started=None, resume_time=0):
    """Return the step times, the utilization of the slots, the wasted tokens and the mean length of trained samples.

    Units: times in units of one token per slot.
    Source: arXiv:2509.18521; list scheduling: Graham 1969.
    """
    width = batch if mode == "sync" else started
    fresh, unfinished = list(lengths), []
    times, trained = [], []
    generated = wasted = 0.0
    while len(unfinished) + len(fresh) >= width:
        new = width - len(unfinished)
        step = unfinished + [(length, 0.0) for length in fresh[:new]]
        fresh, unfinished = fresh[new:], []
        spans = _schedule(step, slots, resume_time)
        stop = sorted(end for _, end in spans)[batch - 1]
        for (length, done), (begin, end) in zip(step, spans, strict=True):
            made = max(0.0, min(end, stop) - begin)
            generated += made
            if end <= stop:
                trained.append(length)
            elif mode == "partial":
                unfinished.append((length, done + made))
            else:
                wasted += made
        times.append(stop + train_time)
    return {
        "step_times": torch.tensor(times, dtype=torch.float64),
        "utilisation": generated / (slots * sum(times)),
        "wasted_tokens": wasted,
        "mean_trained_length": sum(trained) / len(trained),
    }


def _schedule(step, slots, resume_time):
    """Return the times at which each sample starts and ends the generation of its missing tokens."""
    free = [0.0] * slots
    spans = []
    for length, done in step:
        begin = free[0] + (resume_time if done else 0.0)
        heapq.heapreplace(free, begin + length - done)
        spans.append((begin, begin + length - done))
    return spans

"""Each mode is a recurrence over the batches; the best split is found by trying them all."""

import bisect


def _one_step_off(generate, train, sync):
    """Return the time of the run and the staleness of each batch, given the seconds of each phase."""
    time = max(generate[0])
    for seconds, following in zip(train, [*generate[1:], ()], strict=True):
        time += max([seconds, *following]) + sync
    return time, [min(place, 1) for place in range(len(train))]


def _asynchronous(generate, train, sync, eta):
    """Return the time of the run and the staleness of each batch, given the seconds of each phase."""
    available = [0.0]  # the time at which each version reaches the rollout GPUs
    free, staleness = 0.0, []
    for place, (busy, longest) in enumerate(generate):
        start = max(free, available[max(0, place - eta)])
        staleness.append(place + 1 - bisect.bisect_right(available, start))
        free = start + busy
        complete = start + max(busy, longest)
        available.append(max(complete, available[-1]) + train[place] + sync)
    return available[-1], staleness


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    """Return the times of all splits, the best number of rollout GPUs, and the staleness of each batch for it.

    Units: work and training in GPU-seconds, everything else in seconds.
    Source: arXiv:2505.24298, sections 4 and 5.1.
    """
    if mode == "colocated":
        steps = [max(work / gpus, longest) for work, longest in generation]
        total = sum(steps) + sum(training) / gpus + switch * len(training)
        return {"total_times": [total], "rollout_gpus": gpus, "staleness": [0] * len(training)}
    runs = []
    for rollout in range(1, gpus):
        generate = [(work / rollout, longest) for work, longest in generation]
        train = [seconds / (gpus - rollout) for seconds in training]
        if mode == "one_step_off":
            runs.append(_one_step_off(generate, train, sync))
        else:
            runs.append(_asynchronous(generate, train, sync, eta))
    times = [time for time, _ in runs]
    best = times.index(min(times))
    return {"total_times": times, "rollout_gpus": best + 1, "staleness": runs[best][1]}

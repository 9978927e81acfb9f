import torch


def pipeline_throughput_sim(mode, gpus, generation, training, switch, sync, eta=None):
    """All splits at once: each quantity is a vector over r."""
    work, longest = torch.tensor(generation, dtype=torch.float64).T
    seconds = torch.tensor(training, dtype=torch.float64)
    n = len(seconds)
    if mode == "colocated":
        total = torch.maximum(work / gpus, longest).sum() + seconds.sum() / gpus + n * switch
        return {"total_times": [total.item()], "rollout_gpus": gpus, "staleness": [0] * n}
    r = torch.arange(1, gpus, dtype=torch.float64)
    bulk = work[:, None] / r
    whole = torch.maximum(bulk, longest[:, None])
    train = seconds[:, None] / (gpus - r)
    if mode == "one_step_off":
        following = torch.cat([whole[1:], torch.zeros(1, gpus - 1, dtype=torch.float64)])
        times = whole[0] + (torch.maximum(train, following) + sync).sum(0)
        lags = torch.ones(n, gpus - 1, dtype=torch.long)
        lags[0] = 0
    else:
        zero = torch.zeros(gpus - 1, dtype=torch.float64)
        versions, free, rows = [zero], zero, []
        for i in range(n):
            start = free if i <= eta else torch.maximum(free, versions[i - eta])
            newest = sum((version <= start).long() for version in versions) - 1
            rows.append(i - newest)
            free = start + bulk[i]
            versions.append(torch.maximum(start + whole[i], versions[-1]) + train[i] + sync)
        times, lags = versions[-1], torch.stack(rows)
    best = int((times == times.min()).nonzero()[0])
    return {"total_times": times.tolist(), "rollout_gpus": best + 1, "staleness": lags[:, best].tolist()}

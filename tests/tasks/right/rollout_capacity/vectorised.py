import torch

NAMES = ["trainer", "admission", "rollout"]


def rollout_capacity(train_batch, t_train, mean_latency, slots_per_gpu, gpus, eta):
    population = torch.tensor([train_batch, (eta + 1) * train_batch, gpus * slots_per_gpu], dtype=torch.float64)
    residence = torch.tensor([t_train, t_train + mean_latency, mean_latency], dtype=torch.float64)
    rates = population / residence
    best, which = rates.min(0)
    generating = best * mean_latency
    untrained = torch.where(which == 0, eta * float(train_batch), generating)
    staleness = (untrained / train_batch).clamp(max=eta)
    gpus_needed = torch.ceil(rates[:2].min() * mean_latency / slots_per_gpu)
    return {
        "throughput": best.item(),
        "in_flight": generating.item(),
        "mean_staleness": staleness.item(),
        "bottleneck": NAMES[which],
        "min_gpus": int(gpus_needed),
    }

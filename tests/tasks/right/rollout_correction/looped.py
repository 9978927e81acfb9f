import math

import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    def bounded(log_weight):
        weight = math.exp(min(log_weight, 20.0))
        if kind == "tis":
            return min(weight, hi)
        return weight if lo <= weight <= hi else 0.0

    answer = []
    for new, old, keep in zip(train_logp.tolist(), rollout_logp.tolist(), mask.tolist(), strict=True):
        gaps = [a - b for a, b, kept in zip(new, old, keep, strict=True) if kept]
        if mode == "seq":
            gaps = [math.fsum(gaps)] * len(gaps)
        elif mode == "geo" and gaps:
            gaps = [math.fsum(gaps) / len(gaps)] * len(gaps)
        own = iter(gaps)
        answer.append([bounded(next(own)) if kept else 0.0 for kept in keep])
    return torch.tensor(answer, dtype=train_logp.dtype, device=train_logp.device)

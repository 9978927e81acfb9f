import torch
from torch.nn import functional as F


def topk_with_replay(logits, k, replay=None):
    """Full softmax, gathered and normalised again in log space."""
    _, experts = torch.topk(logits.detach(), k)
    if replay is not None:
        empty = replay.eq(-1).all(-1)
        rows = replay[~empty]
        if rows.numel():
            if rows.min() < 0 or rows.max() >= logits.size(-1):
                raise ValueError("route out of range")
            if any(torch.unique(row).numel() != k for row in rows):
                raise ValueError("route names an expert twice")
        experts = experts.clone()
        experts[~empty] = rows
    keep = torch.zeros_like(logits, dtype=torch.bool).scatter_(-1, experts, True)
    logp = F.log_softmax(logits.masked_fill(~keep, float("-inf")), dim=-1)
    return torch.gather(logp, -1, experts).exp(), experts

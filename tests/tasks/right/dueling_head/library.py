import torch
from torch import nn


def dueling_head(v, adv, legal):
    mean = adv.masked_fill(torch.logical_not(legal), float("nan")).nanmean(dim=-1, keepdim=True)
    centered = torch.sub(adv, mean)
    q = torch.add(v, centered).masked_fill(torch.logical_not(legal), float("-inf"))
    with torch.no_grad():
        padded = nn.functional.pad(q, (0, 1), value=torch.finfo(q.dtype).min)
        best, action = torch.sort(padded, dim=-1, descending=True, stable=True)
        is_over = action[:, 0] == q.shape[-1]
        action = torch.where(is_over, torch.full_like(action[:, 0], -1), action[:, 0])
        best = torch.where(is_over, torch.zeros_like(best[:, 0]), best[:, 0])
    return q, action, best

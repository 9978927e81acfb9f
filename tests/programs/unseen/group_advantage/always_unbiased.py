# expect: wrong
# mistake: The variance is always divided by n - 1; unbiased is not looked at.
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    result = torch.zeros_like(rewards)
    for g in set(group_id.tolist()):
        index = torch.nonzero(group_id == g).flatten()
        values = rewards[index]
        if values.unique().numel() == 1:
            continue
        centred = values - values.mean()
        if scale == "std":
            centred = centred / (torch.std(values) + eps)
        elif scale == "batch":
            centred = centred / (torch.std(rewards) + eps)
        result[index] = centred
    return result

# expect: wrong
# mistake: eps is added to the variance, under the root, not to the deviation.
# mistake: The advantages are returned group after group, not in the order of rewards.
import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    order = torch.argsort(group_id, stable=True)
    _, counts = torch.unique_consecutive(group_id[order], return_counts=True)
    chunks = []
    for values in rewards[order].split(counts.tolist()):
        if values.min() == values.max():
            chunks.append(torch.zeros_like(values))
            continue
        a = values - values.mean()
        if scale == "std":
            a = a / torch.sqrt(values.var(unbiased=unbiased) + eps)
        elif scale == "batch":
            a = a / torch.sqrt(rewards.var(unbiased=unbiased) + eps)
        chunks.append(a)
    return torch.cat(chunks)

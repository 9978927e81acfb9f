# expect: wrong
# mistake: The chosen experts are listed in descending order of the score without bias instead of the sum, and a bias whose load equals the mean goes down by u instead of staying the same.
import torch


def aux_free_bias_update(scores, bias, k, u):
    E = scores.shape[-1]
    s = scores.float()
    b = bias.detach()

    with torch.no_grad():
        chosen = torch.zeros_like(s, dtype=torch.bool)
        chosen.scatter_(-1, (s + b).topk(k, dim=-1).indices, True)

    weights, experts = s.masked_fill(~chosen, float("-inf")).topk(k, dim=-1)
    gates = weights / weights.sum(-1, keepdim=True)

    load = chosen.reshape(-1, E).sum(0).float()
    mean = load.mean()
    new_bias = torch.where(load < mean, b + u, b - u)
    return gates, experts, new_bias

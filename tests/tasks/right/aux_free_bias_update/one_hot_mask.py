import torch


def aux_free_bias_update(scores, bias, k, u):
    s = scores.float()
    with torch.no_grad():
        order = torch.sort(s + bias.float(), dim=-1, descending=True).indices
        experts = order[..., :k]
        used = torch.zeros(s.shape, dtype=torch.float64).scatter_(-1, experts, 1.0)
        load = used.flatten(0, 1).sum(0)
        diff = load.mean() - load
        new_bias = bias.clone()
        new_bias[diff > 0] += u
        new_bias[diff < 0] -= u
    picked = torch.gather(s, -1, experts)
    return torch.nn.functional.normalize(picked, p=1.0, dim=-1), experts, new_bias

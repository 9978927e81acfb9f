import torch


def aux_free_bias_update(scores, bias, k, u):
    b = bias.detach()
    gates, experts = [], []
    for s in scores.float():
        top = torch.topk(s + b, k, dim=-1).indices
        g = s.gather(-1, top)
        gates.append(g / g.sum(-1, keepdim=True))
        experts.append(top)
        load = torch.bincount(top.flatten(), minlength=len(b)).float()
        b = b + u * torch.sign(load.mean() - load)
    return torch.stack(gates), torch.stack(experts), b

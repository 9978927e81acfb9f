# expect: right
import torch


def aux_free_bias_update(scores, bias, k, u):
    E = scores.shape[-1]
    s = scores.float()
    b = bias.detach().float()

    biased = s.detach() + b
    experts = biased.argsort(dim=-1, descending=True)[..., :k].contiguous()

    chosen = torch.gather(s, -1, experts)
    gates = chosen / chosen.sum(dim=-1, keepdim=True)

    load = torch.bincount(experts.flatten(), minlength=E)
    # load < mean  <=>  load * E < total, all in integers
    direction = torch.sign(load.sum() - load * E)
    new_bias = b + u * direction.to(torch.float32)
    return gates, experts, new_bias

# expect: wrong
# mistake: The update is done in place, so the input bias is overwritten with the new biases instead of being left unchanged.
import torch


def aux_free_bias_update(scores, bias, k, u):
    scores = scores.float()
    with torch.no_grad():
        experts = torch.topk(scores + bias, k, dim=-1).indices
    gates = scores.gather(-1, experts)
    gates = gates / gates.sum(dim=-1, keepdim=True)

    with torch.no_grad():
        load = torch.bincount(experts.view(-1), minlength=bias.numel())
        mean = experts.numel() / bias.numel()
        new_bias = bias.data
        new_bias[load < mean] += u
        new_bias[load > mean] -= u
    return gates, experts, new_bias.detach()

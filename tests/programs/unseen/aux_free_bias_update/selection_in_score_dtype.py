# expect: wrong
# mistake: The sum of score and bias that selects the experts is computed in the dtype of the scores (bfloat16 for bfloat16 scores) instead of float32.
import torch


def aux_free_bias_update(scores, bias, k, u):
    E = scores.shape[-1]

    with torch.no_grad():
        selection = scores + bias.to(scores.dtype)
        experts = selection.topk(k, dim=-1).indices

    weights = scores.gather(-1, experts).float()
    gates = weights / weights.sum(dim=-1, keepdim=True)

    with torch.no_grad():
        one_hot = torch.nn.functional.one_hot(experts, E)
        load = one_hot.sum(dim=(0, 1, 2)).float()
        mean = load.mean()
        delta = torch.zeros_like(load)
        delta[load < mean] = u
        delta[load > mean] = -u
        new_bias = bias.detach().float() + delta
    return gates, experts, new_bias

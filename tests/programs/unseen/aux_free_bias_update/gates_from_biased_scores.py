# expect: wrong
# mistake: The gates are the biased scores (score plus bias) of the chosen experts divided by their sum, instead of the scores without the biases.
import torch


def aux_free_bias_update(scores, bias, k, u):
    E = scores.size(-1)
    routing_scores = scores.float() + bias.detach().float()
    top, experts = torch.topk(routing_scores, k, dim=-1)
    gates = top / top.sum(-1, keepdim=True)
    with torch.no_grad():
        load = torch.bincount(experts.reshape(-1), minlength=E).float()
        err = load.mean() - load
        new_bias = bias.detach() + u * torch.sign(err)
    return gates, experts, new_bias

# expect: wrong
# mistake: The bias changes by u times the relative deviation of the load from the mean, instead of by exactly plus or minus u.
import torch


def aux_free_bias_update(scores, bias, k, u):
    M, T, E = scores.shape
    s = scores.to(torch.float32)
    old = bias.detach().to(torch.float32)

    with torch.no_grad():
        _, experts = (s + old).topk(k, dim=-1, sorted=True)

    picked = s.gather(2, experts)
    gates = picked / picked.sum(dim=2, keepdim=True)

    counts = torch.zeros(E, dtype=torch.float32, device=scores.device)
    counts.scatter_add_(0, experts.reshape(-1), torch.ones(experts.numel(), device=scores.device))
    mean_load = M * T * k / E
    violation = (mean_load - counts) / mean_load
    new_bias = old + u * violation
    return gates, experts, new_bias

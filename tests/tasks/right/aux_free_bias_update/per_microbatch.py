import torch


def route(s, bias, k):
    biased = (s + bias).detach()
    top = torch.topk(biased, k)[1]
    weight = torch.take_along_dim(s, top, dim=1)
    return torch.exp(weight.log() - weight.sum(1, keepdim=True).log()), top


def aux_free_bias_update(scores, bias, k, u):
    """Routes one microbatch after the other, and updates at the end, as in training."""
    counts = torch.zeros(bias.numel(), dtype=torch.int64)
    results = []
    for micro in scores.to(torch.float32):
        gates, experts = route(micro, bias, k)
        counts.index_add_(0, experts.reshape(-1), torch.ones(experts.numel(), dtype=torch.int64))
        results.append((gates, experts))
    error = scores.shape[0] * scores.shape[1] * k / len(counts) - counts.double()
    gates, experts = (torch.stack(parts) for parts in zip(*results))
    return gates, experts, (bias + u * error.sign()).detach().float()

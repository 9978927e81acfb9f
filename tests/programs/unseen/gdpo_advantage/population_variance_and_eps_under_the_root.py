# expect: wrong
# mistake: Both steps divide the squared deviations by n instead of n - 1, and eps is added to the variance instead of to the standard deviation.
import torch


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    mean = rewards.mean(dim=2, keepdim=True)
    var = rewards.var(dim=2, keepdim=True, unbiased=False)
    z = (rewards - mean) / torch.sqrt(var + eps)
    z = z.masked_fill((rewards == rewards[:, :, :1]).all(dim=2, keepdim=True), 0.0)
    s = torch.tensordot(weights, z, dims=1)
    return (s - s.mean()) / torch.sqrt(s.var(unbiased=False) + eps)

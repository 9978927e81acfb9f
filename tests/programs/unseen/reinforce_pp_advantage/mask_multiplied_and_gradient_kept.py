# expect: wrong
# mistake: The KL of masked positions is removed by a multiplication with the mask, so that NaN there reaches the result, and the advantages still carry the gradients of rewards and kl.
import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    if baseline:
        rewards = rewards - rewards.mean(dim=1, keepdim=True)
    m = mask.to(rewards.dtype)
    kl = kl * m
    to_go = kl.flip(dims=[1]).cumsum(dim=1).flip(dims=[1])
    returns = rewards.reshape(-1, 1) - beta * to_go
    n = m.sum()
    selected = returns[mask]
    if n < 2 or (selected.max() - selected.min()) < 1e-6 * max(1.0, float(selected.abs().max())):
        return torch.zeros_like(returns).detach()
    mean = selected.mean()
    std = selected.std(unbiased=True)
    return torch.where(mask, (returns - mean) / std, torch.zeros_like(returns))

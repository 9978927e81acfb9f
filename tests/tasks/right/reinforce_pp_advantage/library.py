import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    kl, rewards = kl.detach().masked_fill(~mask, 0.0), rewards.detach()
    if baseline:
        rewards = rewards.sub(rewards.mean(1, keepdim=True))
    later = kl.sum(1, keepdim=True) - kl.cumsum(1) + kl
    returns = torch.where(mask, rewards.flatten().unsqueeze(1) - beta * later, 0.0)
    tokens = torch.masked_select(returns, mask)
    result = torch.zeros_like(returns)
    if len(tokens) < 2 or tokens.max() - tokens.min() < 1e-5:
        return result
    std, mean = torch.std_mean(tokens)
    result[mask] = (tokens - mean) / std
    return result

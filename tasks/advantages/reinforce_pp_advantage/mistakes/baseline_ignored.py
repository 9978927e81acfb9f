import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    rewards, kl = rewards.detach(), kl.detach()
    token_rewards = -beta * kl.masked_fill(~mask, 0.0)
    returns = torch.zeros_like(token_rewards)
    running = rewards.reshape(-1)
    for t in reversed(range(kl.shape[1])):
        running = running + token_rewards[:, t]
        returns[:, t] = running
    values = returns[mask]
    if values.numel() < 2 or values.max() == values.min():
        return torch.zeros_like(returns)
    adv = (returns - values.mean()) / values.std()
    return adv.masked_fill(~mask, 0.0)

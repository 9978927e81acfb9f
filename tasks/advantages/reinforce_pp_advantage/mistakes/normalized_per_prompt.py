import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    rewards, kl = rewards.detach(), kl.detach()
    if baseline:
        rewards = rewards - rewards.mean(1, keepdim=True)
    token_rewards = -beta * kl.masked_fill(~mask, 0.0)
    returns = torch.zeros_like(token_rewards)
    running = rewards.reshape(-1)
    for t in reversed(range(kl.shape[1])):
        running = running + token_rewards[:, t]
        returns[:, t] = running
    adv = torch.zeros_like(returns)
    answers = rewards.shape[1]
    for start in range(0, len(returns), answers):
        own = slice(start, start + answers)
        values = returns[own][mask[own]]
        if values.numel() > 1 and values.max() != values.min():
            adv[own] = (returns[own] - values.mean()) / values.std()
    return adv.masked_fill(~mask, 0.0)

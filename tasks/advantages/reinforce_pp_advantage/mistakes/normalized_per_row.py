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
    rows = []
    for row, kept in zip(returns, mask, strict=True):
        values = row[kept]
        if values.numel() < 2 or values.max() == values.min():
            rows.append(torch.zeros_like(row))
        else:
            rows.append((row - values.mean()) / values.std())
    adv = torch.stack(rows)
    return adv.masked_fill(~mask, 0.0)

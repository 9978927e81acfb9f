# expect: wrong
# mistake: The variance divides the squared deviations by n instead of n - 1.
import torch


def masked_mean(x, mask):
    return (x * mask).sum() / mask.sum()


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    rewards = rewards.detach()
    kl = torch.nan_to_num(kl.detach().masked_fill(~mask, 0.0))
    if baseline:
        shaped = rewards - rewards.mean(dim=1, keepdim=True)
    else:
        shaped = rewards
    total = kl.sum(dim=1, keepdim=True)
    later = total - kl.cumsum(dim=1) + kl
    returns = (shaped.reshape(-1, 1) - beta * later) * mask
    zeros = torch.zeros_like(returns)
    if int(mask.sum()) < 2:
        return zeros
    picked = returns[mask]
    if picked.max() - picked.min() < 1e-5 * max(1.0, rewards.abs().max().item()):
        return zeros
    mean = masked_mean(returns, mask)
    var = masked_mean((returns - mean) ** 2, mask)
    return torch.where(mask, (returns - mean) / var.sqrt(), zeros)

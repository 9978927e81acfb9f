# expect: right
import torch


@torch.no_grad()
def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    adv = torch.zeros(mask.shape, dtype=rewards.dtype, device=rewards.device)
    r = rewards - rewards.mean(dim=1, keepdim=True) if baseline else rewards
    k = torch.where(mask, kl, torch.zeros_like(kl))
    penalty = beta * k.flip(1).cumsum(1).flip(1)
    returns = (r.reshape(-1, 1) - penalty)[mask]
    if returns.numel() < 2:
        return adv
    size = max(rewards.abs().max().item(), penalty.abs().max().item())
    if (returns.max() - returns.min()).item() <= 64 * torch.finfo(returns.dtype).eps * size:
        return adv
    centered = returns - returns.mean()
    std = (centered.square().sum() / (returns.numel() - 1)).sqrt()
    adv[mask] = centered / std
    return adv

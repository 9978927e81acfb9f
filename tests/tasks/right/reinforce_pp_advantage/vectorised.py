import torch


@torch.no_grad()
def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    zeros = torch.zeros(mask.shape, dtype=rewards.dtype, device=rewards.device)
    if baseline:
        rewards = rewards - rewards.mean(dim=1, keepdim=True)
    penalty = torch.where(mask, kl, zeros)
    later = penalty.flip(1).cumsum(dim=1).flip(1)
    returns = rewards.reshape(-1, 1) - beta * later
    chosen = returns[mask].double()
    if chosen.numel() < 2:
        return zeros
    chosen = chosen - chosen.mean()
    spread = chosen.square().sum().div(chosen.numel() - 1).sqrt()
    if spread < 1e-6:
        return zeros
    return zeros.masked_scatter(mask, (chosen / spread).to(zeros.dtype))

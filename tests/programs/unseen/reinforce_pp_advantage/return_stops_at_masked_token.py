# expect: wrong
# mistake: The sum of later KL values restarts at every masked token, so that a return only contains the KL up to the end of its own contiguous piece of unmasked tokens.
import torch


def kl_to_go(kl, mask):
    out = torch.zeros_like(kl)
    running = torch.zeros(kl.shape[0], dtype=kl.dtype, device=kl.device)
    for t in range(kl.shape[1] - 1, -1, -1):
        running = torch.where(mask[:, t], running + kl[:, t], torch.zeros_like(running))
        out[:, t] = running
    return out


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    rewards = rewards.detach()
    kl = kl.detach().masked_fill(~mask, 0)
    r = rewards - rewards.mean(1, keepdim=True) if baseline else rewards
    returns = r.reshape(-1, 1) - beta * kl_to_go(kl, mask)
    adv = torch.zeros_like(returns)
    flat = returns[mask]
    if flat.numel() > 1 and (flat.max() - flat.min()) > 1e-5 * max(1.0, rewards.abs().max().item()):
        adv[mask] = (flat - flat.mean()) / flat.std(correction=1)
    return adv

# expect: wrong
# mistake: A token's return subtracts the KL of the later unmasked tokens only and leaves out the token's own.
import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    rewards, kl = rewards.detach(), kl.detach()
    B, G = rewards.shape
    rows, T = mask.shape
    r = rewards.clone()
    if baseline:
        r -= rewards.mean(dim=1, keepdim=True)
    r = r.reshape(rows)
    returns = torch.zeros(rows, T, dtype=rewards.dtype, device=rewards.device)
    for i in range(rows):
        future = torch.zeros((), dtype=rewards.dtype, device=rewards.device)
        for t in reversed(range(T)):
            if mask[i, t]:
                returns[i, t] = r[i] - beta * future
                future = future + kl[i, t]
    adv = torch.zeros_like(returns)
    vals = returns[mask]
    if len(vals) < 2 or vals.max() - vals.min() <= 1e-5 * max(1.0, float(rewards.abs().max())):
        return adv
    adv[mask] = (vals - vals.mean()) / vals.std()
    return adv

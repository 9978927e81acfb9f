# expect: wrong
# mistake: A token's return subtracts beta times the KL of this token only, instead of the sum over this and all later unmasked tokens.
import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    with torch.no_grad():
        r = rewards.clone()
        if baseline:
            r = r - r.mean(dim=-1, keepdim=True)
        per_token = r.reshape(-1)[:, None] - beta * torch.where(mask, kl, torch.zeros_like(kl))
        returns = per_token[mask]
        adv = torch.zeros_like(per_token)
        n = returns.shape[0]
        if n >= 2:
            spread = (returns.max() - returns.min()).item()
            if spread > 1e-5 * max(1.0, rewards.abs().max().item()):
                mean = returns.sum() / n
                var = ((returns - mean) ** 2).sum() / (n - 1)
                adv[mask] = (returns - mean) / var.sqrt()
        return adv

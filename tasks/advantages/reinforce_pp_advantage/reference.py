"""The mean and the standard deviation are taken over tokens, so a long answer counts more than a short one."""

import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    """Return each token's return, minus KL penalties, normalized over all unmasked tokens; masked positions are 0.

    Shapes: rewards [B, G]; kl, mask and the result [B * G, T], row b * G + g for answer g to prompt b.
    Units: kl in nats.
    Source: arXiv:2501.03262.
    """
    scores = rewards.detach()
    if baseline:
        scores = scores - scores.mean(dim=1, keepdim=True)
    # torch.where instead of `* mask`, because 0 * NaN is NaN.
    penalties = beta * torch.where(mask, kl.detach(), 0.0)
    returns = scores.reshape(-1, 1) - penalties.flip(1).cumsum(dim=1).flip(1)
    kept = returns[mask]
    if len(kept) < 2 or kept.max() == kept.min():  # the standard deviation is undefined or 0
        return torch.zeros_like(returns)
    return torch.where(mask, (returns - kept.mean()) / kept.std(), 0.0)

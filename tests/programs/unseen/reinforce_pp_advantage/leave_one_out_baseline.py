# expect: wrong
# mistake: The baseline is the mean reward of the other answers to the prompt, instead of the mean of all G answers including its own.
import torch


def reinforce_pp_advantage(rewards, kl, mask, beta, baseline=False):
    rewards, kl = rewards.detach(), kl.detach()
    B, G = rewards.shape
    scores = rewards
    if baseline and G > 1:
        others = (rewards.sum(dim=1, keepdim=True) - rewards) / (G - 1)
        scores = rewards - others
    elif baseline:
        scores = torch.zeros_like(rewards)
    kl = kl.masked_fill(~mask, 0.0)
    kl_to_go = torch.flip(torch.cumsum(torch.flip(kl, [1]), 1), [1])
    ret = scores.reshape(B * G, 1) - beta * kl_to_go
    out = torch.zeros_like(ret)
    picked = ret[mask]
    if picked.numel() < 2:
        return out
    tol = 1e-5 if ret.dtype == torch.float32 else 1e-12
    if picked.max() - picked.min() <= tol * max(1.0, float(rewards.abs().max())):
        return out
    out[mask] = (picked - picked.mean()) / picked.std()
    return out

import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    x = logp[mask]
    with torch.no_grad():
        q = x.double()
        p, a = mu_logp[mask].double(), adv[mask]
        coins = [torch.stack([side.exp(), -torch.expm1(side)]) for side in (p, q)]
        if kind == "tv":
            far = (coins[0] - coins[1]).abs().sum(0) / 2 > delta
        else:
            terms = torch.where(coins[0] > 0, coins[0] * (coins[0].log() - coins[1].log()), 0.0)
            far = terms.sum(0) > delta
        silent = far & (torch.sign(a) * torch.sign(q - p) > 0)
        weight = torch.minimum((q - p).exp(), torch.tensor(float(C), dtype=q.dtype, device=q.device))
        weight = (weight * ~silent).to(x.dtype)
    return -(weight * a * x).sum() / max(x.numel(), 1)

import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    new = logp[mask]
    if new.numel() == 0:
        return new.sum()
    old = old_logp[mask].detach()
    advantage = adv[mask].detach()
    with torch.no_grad():
        weight = torch.exp(new - old)
        weight = torch.minimum(weight, torch.full_like(weight, 1 + eps_high))
        if eps_low is not None:
            weight = torch.maximum(weight, torch.full_like(weight, 1 - eps_low))
    return -(weight * advantage * new).sum() / weight.sum()

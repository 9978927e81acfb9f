import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    """Gather the unmasked tokens into one vector first, so that nothing else is ever touched."""
    rows, _ = mask.nonzero(as_tuple=True)
    new, old, advantage = logp[mask], old_logp[mask].detach(), adv[mask].detach()
    count = max(len(rows), 1)
    ratio = torch.exp(new - old)
    low = torch.full_like(ratio, 1 - eps_low)
    high = torch.full_like(ratio, 1 + eps_high)
    plain = ratio * advantage
    limited = torch.min(torch.max(ratio, low), high) * advantage
    objective = torch.min(plain, limited)
    if dual_c is not None:
        objective = torch.where(advantage < 0, torch.max(objective, dual_c * advantage), objective)
    weight = torch.full_like(ratio, 1.0 / count)
    if reduction == "seq":
        lengths = torch.bincount(rows, minlength=len(mask))
        weight = 1.0 / (lengths[rows] * max(int((lengths > 0).sum()), 1)).to(ratio.dtype)
    loss = -(weight.detach() * objective).sum()
    clipfrac = (limited < plain).sum().to(logp.dtype) / count
    kl = (ratio.detach() - 1 - (new - old).detach()).sum() / count
    return loss, clipfrac, kl

import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    new = logp[mask]
    if new.numel() == 0:
        return new.sum()
    old = old_logp[mask].detach()
    advantage = adv[mask].detach()
    with torch.no_grad():
        log_weight = torch.clamp(new - old, max=eps_high)
        if eps_low is not None:
            log_weight = torch.clamp(log_weight, min=-eps_low)
        weight = torch.exp(log_weight)
    return -(weight * advantage * new).mean()

import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05):
    ratio = (logp - old_logp.detach()).exp()
    adv = adv.detach()
    tau = torch.full_like(ratio, tau_neg).masked_fill(adv > 0, tau_pos)
    gate = torch.sigmoid(tau * (ratio - 1)) * 4 / tau
    return (-gate * adv).mean()

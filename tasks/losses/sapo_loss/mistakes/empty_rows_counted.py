import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05):
    log_ratio = (logp - old_logp.detach()).masked_fill(~mask, 0.0)
    adv = adv.detach().masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    tau = torch.full_like(ratio, tau_neg).masked_fill(adv > 0, tau_pos)
    gate = torch.sigmoid(tau * (ratio - 1)) * 4 / tau
    loss = -gate * adv
    counts = mask.sum(dim=1)
    return (loss.sum(dim=1) / counts.clamp(min=1)).mean()

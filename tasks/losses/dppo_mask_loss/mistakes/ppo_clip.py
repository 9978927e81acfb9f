import torch


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    log_ratio = (logp - mu_logp.detach()).masked_fill(~mask, 0.0)
    advantage = adv.detach().masked_fill(~mask, 0.0)
    ratio = log_ratio.exp()
    loss = torch.max(-ratio * advantage, -ratio.clamp(1 - delta, 1 + delta) * advantage)
    return loss.sum() / mask.sum().clamp(min=1)

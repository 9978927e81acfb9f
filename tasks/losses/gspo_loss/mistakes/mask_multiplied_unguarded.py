import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    m = mask.to(logp.dtype)
    adv = adv.detach()
    mean_log_ratio = ((logp - old_logp.detach()) * m).sum(dim=1) / m.sum(dim=1)
    if not token_variant:
        ratio = mean_log_ratio.exp()
        return -torch.min(ratio * adv, ratio.clamp(1 - eps_low, 1 + eps_high) * adv).mean()
    if adv.dim() == 1:
        adv = adv[:, None]
    ratio = torch.exp(mean_log_ratio.detach()[:, None] + logp - logp.detach())
    loss = -torch.min(ratio * adv, ratio.clamp(1 - eps_low, 1 + eps_high) * adv)
    return ((loss * m).sum(dim=1) / m.sum(dim=1)).mean()

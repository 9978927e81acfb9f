import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    counts = mask.sum(dim=1)
    lengths = counts.clamp(min=1)
    logp = logp.masked_fill(~mask, 0.0)
    old_logp = old_logp.masked_fill(~mask, 0.0)
    mean_log_ratio = (logp - old_logp).sum(dim=1) / lengths
    if adv.dim() == 1:
        adv = adv.detach().masked_fill(counts == 0, 0.0)[:, None]
    adv = adv.detach().expand(mask.shape).masked_fill(~mask, 0.0)
    if token_variant:
        ratio = torch.exp(mean_log_ratio.detach()[:, None] + logp - logp.detach())
    else:
        ratio = torch.exp(mean_log_ratio)[:, None].expand(mask.shape)
    loss = -torch.min(ratio * adv, ratio.clamp(1 - eps_low, 1 + eps_high) * adv)
    rows = loss.sum(dim=1) / lengths
    return rows.sum() / (counts > 0).sum().clamp(min=1)

import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    adv = adv.detach()
    if adv.dim() == 1:
        adv = adv[:, None].expand(mask.shape)
    adv = adv.masked_fill(~mask, 0.0)
    ratio = (logp - old_logp.detach()).masked_fill(~mask, 0.0).exp()
    loss = torch.max(-ratio * adv, -ratio.clamp(1 - eps_low, 1 + eps_high) * adv)
    lengths = mask.sum(-1)
    per_row = loss.sum(-1) / lengths.clamp(min=1)
    return per_row.sum() / (lengths > 0).sum().clamp(min=1)

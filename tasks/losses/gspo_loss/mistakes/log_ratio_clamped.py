import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    old_logp, adv = old_logp.detach(), adv.detach()
    lengths = mask.sum(-1)
    n = lengths.clamp(min=1)
    log_ratio = (logp - old_logp).masked_fill(~mask, 0.0)
    seq_log_ratio = log_ratio.sum(-1) / n

    if token_variant:
        if adv.dim() == 1:
            adv = adv.unsqueeze(-1).expand_as(mask)
        adv = adv.masked_fill(~mask, 0.0)
        logp = logp.masked_fill(~mask, 0.0)
        log_s = seq_log_ratio.detach().unsqueeze(-1) + logp - logp.detach()
    else:
        adv = adv.masked_fill(lengths == 0, 0.0)
        log_s = seq_log_ratio
    s = log_s.exp()

    loss1 = -s * adv
    loss2 = -log_s.clamp(-eps_low, eps_high).exp() * adv
    loss = torch.max(loss1, loss2)
    if token_variant:
        loss = loss.sum(-1) / n
    return loss.sum() / (lengths > 0).sum().clamp(min=1)

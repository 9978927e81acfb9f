import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    train_logp, rollout_logp = train_logp.detach(), rollout_logp.detach()
    diff = (train_logp - rollout_logp).masked_fill(~mask, 0.0)
    lengths = mask.sum(-1, keepdim=True).clamp(min=1)

    if mode == "token":
        log_w = diff
    elif mode == "seq":
        log_w = diff.cumsum(-1)
    else:
        log_w = (diff.sum(-1, keepdim=True) / lengths).expand_as(diff)

    w = torch.exp(torch.clamp(log_w, max=20.0))
    if kind == "tis":
        w = torch.clamp(w, max=hi)
    else:
        w = w * ((w >= lo) & (w <= hi))
    return w.masked_fill(~mask, 0.0)

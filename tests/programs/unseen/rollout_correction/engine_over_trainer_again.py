# expect: wrong
# mistake: The log-weight is the engine's log-probability minus the trainer's, so the weight is the inverse of the one asked for.
import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi):
    train = train_logp.detach().masked_fill(~mask, 0.0)
    rollout = rollout_logp.detach().masked_fill(~mask, 0.0)
    log_ratio = rollout - train

    if mode == "token":
        lw = log_ratio
    elif mode == "seq":
        lw = log_ratio.sum(-1, keepdim=True)
    elif mode == "geo":
        lw = log_ratio.sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1)
    else:
        raise ValueError(mode)

    w = torch.exp(torch.clamp(lw, max=20)).expand(mask.shape)
    if kind == "tis":
        w = torch.clamp(w, max=hi)
    elif kind == "mis":
        w = w * ((w >= lo) & (w <= hi))
    return w * mask

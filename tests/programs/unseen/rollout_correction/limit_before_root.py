# expect: wrong
# mistake: In mode "geo" the limit of 20 is put on the logarithm of the row's weight before the root is taken, not on that of the root.
import torch


def rollout_correction(train_logp, rollout_logp, mask, mode, kind, lo, hi) -> torch.Tensor:
    train = train_logp.detach().masked_fill(~mask, 0)
    rollout = rollout_logp.detach().masked_fill(~mask, 0)
    log_w = train - rollout
    if mode != "token":
        log_w = log_w.sum(dim=-1, keepdim=True)
    w = log_w.clamp(max=20).exp()
    if mode == "geo":
        n = mask.sum(dim=-1, keepdim=True).clamp(min=1)
        w = w ** (1.0 / n)
    if kind == "tis":
        w = w.clamp(max=hi)
    else:
        w = torch.where((w < lo) | (w > hi), torch.zeros_like(w), w)
    return (w.expand(mask.shape) * mask).to(train_logp.dtype)

import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    rows, columns = mask.nonzero(as_tuple=True)
    current, old = logp[rows, columns], old_logp[rows, columns].detach()
    gain = adv[rows].detach()
    ratio = (current - old).exp()
    token_loss = -torch.minimum(ratio * gain, ratio.clip(1 - eps, 1 + eps) * gain)
    if beta > 0:
        gap = ref_logp[rows, columns].detach() - current
        token_loss = token_loss + beta * (gap.exp() - 1 - gap)
    counts = torch.bincount(rows, minlength=mask.shape[0])
    weights = 1.0 / counts[rows].to(logp.dtype)
    return (token_loss * weights).sum() / max(int((counts > 0).sum()), 1)

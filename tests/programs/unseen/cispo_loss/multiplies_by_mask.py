# expect: wrong
# mistake: masked tokens are multiplied by 0, so that a NaN or an infinity there gets through
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    with torch.no_grad():
        ratio = torch.exp(logp - old_logp)
        weight = ratio.clamp(max=1 + eps_high)
        if eps_low is not None:
            weight = weight.clamp(min=1 - eps_low)
    m = mask.to(logp.dtype)
    loss = -weight * adv.detach() * logp
    return (loss * m).sum() / m.sum().clamp(min=1.0)

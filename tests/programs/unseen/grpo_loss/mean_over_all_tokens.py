# expect: wrong
# mistake: The loss is averaged over all unmasked tokens of the batch at once, so long answers weigh more, instead of over each row first and then over the rows.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    A = adv.detach()[:, None].expand_as(logp)[mask]
    lp = logp[mask]
    old = old_logp.detach()[mask]

    ratio = (lp - old).exp()
    clipped = ratio.clamp(1 - eps, 1 + eps)
    loss = torch.max(-ratio * A, -clipped * A)
    if beta > 0:
        diff = ref_logp.detach()[mask] - lp
        loss = loss + beta * (diff.exp() - diff - 1)
    return loss.sum() / max(lp.numel(), 1)

# expect: wrong
# mistake: The KL penalty is computed under no_grad and so adds to the value of the loss but not to its gradient.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    def masked(t):
        return t.masked_fill(~mask, 0.0)

    lp, old = masked(logp), masked(old_logp.detach())
    A = masked(adv.detach().unsqueeze(1).expand_as(logp))

    with torch.no_grad():
        if beta == 0 or ref_logp is None:
            kl = torch.zeros_like(lp)
        else:
            gap = masked(ref_logp) - lp
            kl = gap.exp() - 1 - gap

    ratio = torch.exp(lp - old)
    unclipped = ratio * A
    clipped = torch.clamp(ratio, min=1 - eps, max=1 + eps) * A
    token_loss = -torch.minimum(unclipped, clipped) + beta * kl
    token_loss = token_loss * mask

    count = mask.sum(1)
    rows = token_loss.sum(1) / count.clamp(min=1)
    return rows.sum() / (count > 0).sum().clamp(min=1)

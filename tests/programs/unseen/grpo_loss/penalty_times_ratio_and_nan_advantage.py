# expect: wrong
# mistake: The penalty is multiplied by the probability ratio as in an importance-weighted KL, and a NaN advantage in a row without unmasked tokens makes the loss NaN because it is only multiplied by a mask of zeros.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    lp = torch.where(mask, logp, torch.zeros_like(logp))
    old = torch.where(mask, old_logp, torch.zeros_like(logp)).detach()
    A = adv.detach().unsqueeze(1)
    ratio = torch.exp(lp - old)
    loss = -torch.minimum(ratio * A, torch.clamp(ratio, 1 - eps, 1 + eps) * A)
    if beta > 0:
        ref = torch.where(mask, ref_logp, torch.zeros_like(logp)).detach()
        diff = ref - lp
        # tokens come from the old policy, so reweight the estimator
        loss = loss + beta * ratio * (torch.exp(diff) - diff - 1)
    m = mask.to(logp.dtype)
    n = m.sum(dim=1)
    per_answer = (loss * m).sum(dim=1) / n.clamp(min=1)
    return per_answer.sum() / (n > 0).to(logp.dtype).sum().clamp(min=1)

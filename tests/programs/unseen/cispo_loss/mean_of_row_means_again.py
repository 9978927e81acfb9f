# expect: wrong
# mistake: The loss is averaged within each row and then over the rows with unmasked tokens, instead of over all unmasked tokens of the batch.
import torch


def masked_mean(x, mask, dim):
    count = mask.sum(dim=dim)
    return x.sum(dim=dim) / count.clamp(min=1)


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    zero = logp.new_zeros(())
    lp = torch.where(mask, logp, zero)
    lr = lp.detach() - torch.where(mask, old_logp.detach(), zero)
    advantage = torch.where(mask, adv.detach(), zero)

    w = lr.exp().clamp(max=1.0 + eps_high)
    if eps_low is not None:
        w = w.clamp(min=1.0 - eps_low)

    rows = masked_mean(-w * advantage * lp, mask, dim=1)
    nonempty = mask.any(dim=1).sum().clamp(min=1)
    return rows.sum() / nonempty

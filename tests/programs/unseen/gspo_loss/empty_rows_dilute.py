# expect: wrong
# mistake: The mean over rows counts the rows without tokens too.
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    drop = ~mask
    lengths = mask.sum(1).clamp(min=1)
    lp = logp.masked_fill(drop, 0)
    old = old_logp.detach().masked_fill(drop, 0)
    s = ((lp - old).sum(1) / lengths).exp()
    adv = adv.detach()
    if adv.dim() == 1:
        adv = adv.masked_fill(drop.all(1), 0)
        if token_variant:
            adv = adv.unsqueeze(1)
    if token_variant:
        a = adv.expand(mask.shape).masked_fill(drop, 0)
        s = s.detach().unsqueeze(1) * (lp - lp.detach()).exp()
    else:
        a = adv
    loss = torch.max(-a * s, -a * s.clamp(1 - eps_low, 1 + eps_high))
    if token_variant:
        loss = loss.masked_fill(drop, 0).sum(1) / lengths
    return loss.mean()

# expect: wrong
# mistake: Tokens with a positive advantage use tau_neg and those with a negative one tau_pos, and the gradient also flows to adv.
import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05) -> torch.Tensor:
    def soft_gate(ratio, tau):
        return 4.0 * torch.sigmoid(tau * (ratio - 1.0)) / tau

    logp = logp.masked_fill(~mask, 0)
    old_logp = old_logp.detach().masked_fill(~mask, 0)
    adv = adv.masked_fill(~mask, 0)
    ratio = (logp - old_logp).exp()
    # The tighter gate belongs to the side on which ratios grow.
    surrogate = torch.where(adv < 0, soft_gate(ratio, tau_pos), soft_gate(ratio, tau_neg)) * adv
    tokens = mask.sum(1)
    has_tokens = tokens > 0
    means = surrogate.sum(1) / tokens.clamp(min=1)
    return -means.sum() / has_tokens.sum().clamp(min=1)

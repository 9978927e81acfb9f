# expect: wrong
# mistake: The mask is applied only to the finished per-token loss, so that NaN at a masked position still makes the gradient of logp NaN there.
import torch


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None) -> torch.Tensor:
    ratio = (logp.detach() - old_logp.detach()).exp()
    weight = ratio.clamp_max(1 + eps_high)
    if eps_low is not None:
        weight = weight.clamp_min(1 - eps_low)

    token_loss = -(weight * adv.detach()) * logp
    token_loss = torch.where(mask, token_loss, torch.zeros_like(token_loss))

    n_tokens = mask.sum().clamp(min=1).to(logp.dtype)
    return token_loss.sum() / n_tokens

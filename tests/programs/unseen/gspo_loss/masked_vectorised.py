# expect: right
import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    dtype = logp.dtype
    counts = mask.sum(dim=1)
    has_tokens = counts > 0
    n_rows = has_tokens.sum().clamp(min=1)
    current = logp.masked_fill(~mask, 0.0)
    older = old_logp.detach().to(dtype).masked_fill(~mask, 0.0)
    row_log_ratio = (current - older).sum(dim=1) / counts.clamp(min=1)
    adv = adv.detach().to(dtype)

    if not token_variant:
        ratio = row_log_ratio.exp()
        a = adv.masked_fill(~has_tokens, 0.0)
        row_loss = -torch.minimum(ratio * a, ratio.clamp(1 - eps_low, 1 + eps_high) * a)
        row_loss = row_loss.masked_fill(~has_tokens, 0.0)
    else:
        ratio = row_log_ratio.detach().exp()[:, None] * (current - current.detach()).exp()
        a = (adv if adv.dim() == 2 else adv[:, None].expand_as(mask)).masked_fill(~mask, 0.0)
        token_loss = -torch.minimum(ratio * a, ratio.clamp(1 - eps_low, 1 + eps_high) * a)
        row_loss = token_loss.masked_fill(~mask, 0.0).sum(dim=1) / counts.clamp(min=1)
    return (row_loss.sum() / n_rows).to(dtype)

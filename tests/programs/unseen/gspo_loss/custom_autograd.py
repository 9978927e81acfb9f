# expect: right
import torch


class _TokenRatio(torch.autograd.Function):
    """The row's ratio at every token, as a function of this token's own log-probability alone."""

    @staticmethod
    def forward(ctx, own_logp, row_ratio):
        ratios = row_ratio.expand(own_logp.shape).clone()
        ctx.save_for_backward(ratios)
        return ratios

    @staticmethod
    def backward(ctx, grad):
        (ratios,) = ctx.saved_tensors
        return grad * ratios, None


def _ppo(ratio, advantage, eps_low, eps_high):
    bounded = torch.clamp(ratio, 1 - eps_low, 1 + eps_high)
    return torch.maximum(-advantage * ratio, -advantage * bounded)


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False) -> torch.Tensor:
    """Return GSPO's loss, a 0-dim tensor to minimise."""
    losses = []
    for row in range(mask.shape[0]):
        keep = mask[row].nonzero().squeeze(-1)
        if keep.numel() == 0:
            continue
        lp = logp[row].index_select(0, keep)
        old = old_logp[row].detach().index_select(0, keep)
        a = adv[row].detach()
        if token_variant:
            if a.dim() == 1:
                a = a.index_select(0, keep)
            ratio = _TokenRatio.apply(lp, (lp.detach() - old).mean().exp())
        else:
            ratio = (lp - old).mean().exp()
        losses.append(_ppo(ratio, a, eps_low, eps_high).mean())
    if losses:
        return (sum(losses) / len(losses)).to(logp.dtype)
    return logp[mask].sum()

# expect: right
import torch


class _Reinforce(torch.autograd.Function):
    """Mean of -adv * logp over chosen tokens, with its gradient written down by hand."""

    @staticmethod
    def forward(ctx, logp, adv, mask):
        chosen_logp, chosen_adv = logp[mask], adv[mask]
        count = max(chosen_logp.numel(), 1)
        ctx.save_for_backward(adv, mask)
        ctx.count = count
        return -(chosen_logp * chosen_adv).sum() / count

    @staticmethod
    def backward(ctx, grad):
        adv, mask = ctx.saved_tensors
        out = torch.zeros_like(adv)
        out[mask] = -adv[mask] / ctx.count
        return grad * out, None, None


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    adv = torch.zeros(student_logp.shape, dtype=student_logp.dtype, device=student_logp.device)
    s = student_logp.detach()[mask]
    t = teacher_logp.detach()[mask].to(s.dtype)
    adv[mask] = lam * (torch.maximum(t, torch.full_like(t, -20.0)) - s)
    return adv, _Reinforce.apply(student_logp, adv, mask)

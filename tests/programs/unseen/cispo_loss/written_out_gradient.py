# expect: right
import torch


class WeightedReinforce(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logp, coefficient, mask):
        ctx.save_for_backward(coefficient)
        ctx.dtype = logp.dtype
        clean = torch.where(mask, logp, torch.zeros_like(logp))
        return (coefficient * clean).sum().to(logp.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        (coefficient,) = ctx.saved_tensors
        return (grad_output * coefficient).to(ctx.dtype), None, None


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    with torch.no_grad():
        work = torch.promote_types(logp.dtype, torch.float32)
        zero = torch.zeros((), dtype=work, device=logp.device)
        shift = torch.where(mask, logp.to(work) - old_logp.to(work), zero)
        weight = torch.minimum(shift.exp(), zero + (1.0 + eps_high))
        if eps_low is not None:
            weight = torch.maximum(weight, zero + (1.0 - eps_low))
        count = mask.sum().clamp(min=1)
        coefficient = torch.where(mask, -weight * adv.to(work), zero) / count
    return WeightedReinforce.apply(logp, coefficient, mask)

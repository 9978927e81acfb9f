# expect: right
import torch


class _ClippedValueLoss(torch.autograd.Function):
    """The loss, with its gradient written out."""

    @staticmethod
    def forward(ctx, v, v_old, returns, mask, eps):
        rows, cols = torch.nonzero(mask, as_tuple=True)
        ctx.shape = v.shape
        grad = torch.zeros(v.shape, dtype=v.dtype, device=v.device)
        if rows.numel() == 0:
            ctx.save_for_backward(grad)
            return torch.zeros((), dtype=v.dtype, device=v.device)
        x, old, target = v[rows, cols], v_old[rows, cols].to(v.dtype), returns[rows, cols].to(v.dtype)
        near = torch.minimum(torch.maximum(x, old - eps), old + eps)
        moved = near != x
        plain, held = (x - target).square(), (near - target).square()
        use_held = moved & (held > plain)
        n = rows.numel()
        grad[rows, cols] = torch.where(use_held, torch.zeros_like(x), (x - target) / n)
        ctx.save_for_backward(grad)
        return torch.where(use_held, held, plain).mean() / 2

    @staticmethod
    def backward(ctx, upstream):
        (grad,) = ctx.saved_tensors
        return upstream * grad, None, None, None, None


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    return _ClippedValueLoss.apply(v, v_old.detach(), returns.detach(), mask, eps)

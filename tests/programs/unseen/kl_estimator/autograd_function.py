# expect: right
import torch


class _Estimate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logp, ref_logp, kind):
        delta = logp.double() - ref_logp.double()
        if kind == "k1":
            value, slope = delta, torch.ones_like(delta)
        elif kind == "k2":
            value, slope = 0.5 * delta * delta, delta
        elif kind == "k3":
            excess = torch.expm1(-delta)
            value, slope = delta + excess, -excess
        else:
            raise ValueError(kind)
        ctx.save_for_backward(slope)
        return value.to(logp.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        (slope,) = ctx.saved_tensors
        return (grad_output.double() * slope).to(grad_output.dtype), None, None


def kl_estimator(logp, ref_logp, kind) -> torch.Tensor:
    """Return an estimate of KL(policy || reference) for each token, [B, T]."""
    return _Estimate.apply(logp, ref_logp.detach(), kind)

import math

import torch


class _Total(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value, inputs_grads, *inputs):
        ctx.grads = inputs_grads
        return value.clone()

    @staticmethod
    def backward(ctx, g):
        return (None, None, *(g * d for d in ctx.grads))


def sac_losses(
    q1, q2, q1_next, q2_next, logp_next, q1_pi, q2_pi, mu, log_std, u, scale, r, done, log_alpha, gamma, target_entropy
):
    with torch.no_grad():
        n = q1.shape[0]
        alpha = torch.exp(log_alpha)

        inv_std = torch.exp(-log_std)
        z = (u - mu) * inv_std
        t = torch.exp(-2.0 * u.abs())
        neg_log_slope = 2.0 * (u.abs() + torch.log1p(t) - math.log(2.0))
        per_dim = neg_log_slope - z.square() / 2 - log_std - math.log(math.sqrt(2 * math.pi)) - scale.log()
        logp = per_dim.sum(1)

        lower_next = torch.where(q1_next < q2_next, q1_next, q2_next)
        y = r + (gamma * (lower_next - alpha * logp_next)).masked_fill(done, 0.0)
        e1, e2 = q1 - y, q2 - y
        critic_loss = e1.dot(e1) / n + e2.dot(e2) / n

        first = q1_pi < q2_pi
        actor_loss = -(torch.where(first, q1_pi, q2_pi) - alpha * logp).sum() / n
        alpha_loss = alpha * (-logp - target_entropy).sum() / n

        w = alpha / n
        grads = (
            2 * e1 / n,
            2 * e2 / n,
            -first.to(q1.dtype) / n,
            -(~first).to(q1.dtype) / n,
            w * z * inv_std,
            w * (z * z - 1),
            w * (2 * torch.tanh(u) - z * inv_std),
            alpha_loss.clone(),
        )
        total = critic_loss + actor_loss + alpha_loss

    loss = _Total.apply(total, grads, q1, q2, q1_pi, q2_pi, mu, log_std, u, log_alpha)
    return loss, critic_loss, actor_loss, alpha_loss, logp

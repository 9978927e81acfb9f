# expect: right
import torch


class Entropy(torch.autograd.Function):
    """Entropy of softmax(z) in the last dimension, with its derivative -p * (log p + H) written out."""

    @staticmethod
    def forward(ctx, z):
        shifted = z - z.amax(dim=-1, keepdim=True)
        log_sum = shifted.exp().sum(dim=-1, keepdim=True).log()
        log_p = shifted - log_sum
        p = log_p.exp()
        log_p = torch.where(p > 0, log_p, torch.zeros_like(log_p))
        h = -(p * log_p).sum(dim=-1)
        ctx.save_for_backward(p, log_p, h)
        return h

    @staticmethod
    def backward(ctx, grad):
        p, log_p, h = ctx.saved_tensors
        return -grad.unsqueeze(-1) * p * (log_p + h.unsqueeze(-1))


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    vocabulary = logits.shape[-1]
    rows = logits.reshape(-1, vocabulary)
    if mask is None:
        keep = torch.ones(rows.shape[0], dtype=torch.bool, device=logits.device)
    else:
        keep = mask.reshape(-1)
    entropies = Entropy.apply(rows[keep].float())
    per_token = torch.zeros(rows.shape[0], device=logits.device).masked_scatter(keep, entropies)
    mean = entropies.sum() / max(entropies.numel(), 1)
    return mean, per_token.reshape(logits.shape[:-1])

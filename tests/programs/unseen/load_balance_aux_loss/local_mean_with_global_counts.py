# expect: wrong
# mistake: With global_counts, P and the z-loss are means over the real tokens of this microbatch, instead of this microbatch's sums divided by the number of tokens of the global batch.
import torch


def _balance(probs, f):
    """E * sum(f * P) for the tokens in probs [N, E]."""
    return probs.shape[-1] * (f * probs.mean(dim=0)).sum()


def _fractions(logits, k):
    E = logits.shape[-1]
    idx = logits.detach().topk(k, dim=-1).indices.flatten()
    counts = torch.bincount(idx, minlength=E)
    return counts.to(logits.dtype) / counts.sum()


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    if not mask.any():
        return logits.masked_fill(~mask.unsqueeze(-1), 0.0).sum()

    real = logits[mask]
    if per_sequence:
        losses = []
        for b in range(logits.shape[0]):
            if mask[b].any():
                x = logits[b][mask[b]]
                losses.append(_balance(x.softmax(-1), _fractions(x, k)))
        loss = torch.stack(losses).mean()
    else:
        if global_counts is None:
            f = _fractions(real, k)
        else:
            f = global_counts.to(logits.dtype) / global_counts.sum()
        loss = _balance(real.softmax(-1), f)

    z = real.logsumexp(-1).pow(2).mean()
    return loss + z_coef * z

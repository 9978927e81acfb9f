import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0):
    """Selects the real tokens first, so nothing has to be masked afterwards."""
    experts = logits.size(-1)
    if not mask.any():
        return torch.where(mask.unsqueeze(-1), logits, torch.zeros_like(logits)).sum()

    def share_of(tokens, counts, total):
        f = counts.to(tokens.dtype) / counts.sum()
        mean_prob = tokens.softmax(-1).sum(0) / total
        return experts * torch.dot(f, mean_prob)

    def counts_of(tokens):
        return torch.bincount(tokens.topk(k, -1).indices.reshape(-1), minlength=experts)

    real = logits[mask]
    total = len(real)
    if per_sequence:
        rows = [row[m] for row, m in zip(logits, mask) if m.any()]
        balance = torch.stack([share_of(row, counts_of(row), len(row)) for row in rows]).mean()
    else:
        counts = counts_of(real)
        if global_counts is not None:
            counts = global_counts
            total = int(global_counts.sum()) // k
        balance = share_of(real, counts, total)
    z = torch.logsumexp(real, -1).square().sum() / total
    return balance + z_coef * z

# expect: wrong
# mistake: P is the mean of probabilities that are a softmax over only the k chosen logits instead of all E, and with global_counts the z-loss is divided by the microbatch's own token count instead of the global one.
import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    B, T, E = logits.shape
    logits = logits.masked_fill(~mask[..., None], 0.0)
    fm = mask.to(logits.dtype)[..., None]

    top_vals, top_idx = logits.topk(k, dim=-1)
    weights = torch.softmax(top_vals, dim=-1)
    probs = torch.zeros_like(logits).scatter(-1, top_idx, weights) * fm
    hits = torch.zeros_like(logits).scatter(-1, top_idx, 1.0).detach() * fm

    n = fm.sum().clamp(min=1)

    if per_sequence:
        n_seq = fm.sum(1)
        ok = (n_seq[:, 0] > 0).to(logits.dtype)
        n_seq = n_seq.clamp(min=1)
        f = hits.sum(1) / (n_seq * k)
        P = probs.sum(1) / n_seq
        lb = (E * (f * P).sum(1) * ok).sum() / ok.sum().clamp(min=1)
    else:
        if global_counts is None:
            f = hits.sum((0, 1)) / (n * k)
            P = probs.sum((0, 1)) / n
        else:
            c = global_counts.to(logits.dtype)
            f = c / c.sum().clamp(min=1)
            P = probs.sum((0, 1)) / (c.sum() / k).clamp(min=1)
        lb = E * (f * P).sum()

    z = (torch.logsumexp(logits, dim=-1) ** 2 * fm[..., 0]).sum() / n
    return lb + z_coef * z

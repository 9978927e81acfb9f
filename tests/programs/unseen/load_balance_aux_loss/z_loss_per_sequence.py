# expect: wrong
# mistake: With per_sequence, the z-loss is the mean over sequences of each sequence's mean, instead of the mean over all real tokens of the microbatch.
import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    E = logits.shape[-1]
    clean = torch.where(mask[..., None], logits, torch.zeros_like(logits))
    m = mask.to(clean.dtype)

    probs = torch.softmax(clean, -1)
    with torch.no_grad():
        choice = torch.zeros_like(clean)
        choice.scatter_(-1, clean.topk(k, -1).indices, 1.0)

    # one group per sequence, or a single group for the whole microbatch
    if per_sequence:
        groups = (probs, choice, clean, m)
    else:
        groups = (
            probs.reshape(1, -1, E),
            choice.reshape(1, -1, E),
            clean.reshape(1, -1, E),
            m.reshape(1, -1),
        )
    g_probs, g_choice, g_logits, g_m = groups

    n = g_m.sum(1)
    safe_n = n.clamp(min=1)
    f = (g_choice * g_m[..., None]).sum(1) / (safe_n * k)[:, None]
    p_sum = (g_probs * g_m[..., None]).sum(1)
    z_sum = (g_logits.logsumexp(-1) ** 2 * g_m).sum(1)

    if global_counts is not None:
        f = (global_counts / global_counts.sum().clamp(min=1)).to(clean.dtype)[None]
        safe_n = (global_counts.sum() / k).clamp(min=1).to(clean.dtype).reshape(1)

    loss = E * (f * p_sum / safe_n[:, None]).sum(-1) + z_coef * z_sum / safe_n
    used = (n > 0).to(clean.dtype)
    return (loss * used).sum() / used.sum().clamp(min=1)

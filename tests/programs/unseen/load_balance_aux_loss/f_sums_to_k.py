# expect: wrong
# mistake: f is the number of choices divided by the number of tokens, so that it sums to k over the experts instead of to 1.
import torch
import torch.nn.functional as F


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    num_experts = logits.shape[-1]
    logits = logits.masked_fill(~mask[..., None], 0.0)
    w = mask.to(logits.dtype)

    probs = F.softmax(logits, dim=-1)
    topk = logits.detach().topk(k, dim=-1).indices
    hits = F.one_hot(topk, num_experts).sum(-2).to(logits.dtype)

    z_all = (torch.logsumexp(logits, dim=-1).square() * w).sum()

    if global_counts is not None:
        n_global = (global_counts.sum().to(logits.dtype) / k).clamp(min=1)
        f = global_counts.to(logits.dtype) / n_global
        P = (probs * w[..., None]).sum((0, 1)) / n_global
        return num_experts * (f * P).sum() + z_coef * z_all / n_global

    n_tok = w.sum().clamp(min=1)
    if per_sequence:
        n = w.sum(1).clamp(min=1)[:, None]
        f = (hits * w[..., None]).sum(1) / n
        P = (probs * w[..., None]).sum(1) / n
        seq_loss = num_experts * (f * P).sum(-1)
        has = mask.any(1).to(logits.dtype)
        lb = (seq_loss * has).sum() / has.sum().clamp(min=1)
    else:
        f = (hits * w[..., None]).sum((0, 1)) / n_tok
        P = (probs * w[..., None]).sum((0, 1)) / n_tok
        lb = num_experts * (f * P).sum()
    return lb + z_coef * z_all / n_tok

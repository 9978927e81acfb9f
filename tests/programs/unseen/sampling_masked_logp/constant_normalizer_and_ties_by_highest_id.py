# expect: wrong
# mistake: The logarithm of the kept sum is treated as a constant, so the gradient only reaches the token's own logit, and of equal logits the higher id comes first because an ascending sort is flipped.
import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    scaled = logits / temperature
    with torch.no_grad():
        if keep_ids is None:
            if top_p < 1:
                order = torch.argsort(scaled, stable=True).flip(0)
                cum = torch.softmax(scaled, 0)[order].cumsum(0)
                n_keep = int(torch.searchsorted(cum, torch.tensor(top_p, dtype=cum.dtype))) + 1
                keep_ids = order[:n_keep]
            else:
                keep_ids = torch.arange(scaled.numel())
        log_z = torch.logsumexp(scaled[keep_ids], dim=0)
        is_kept = (keep_ids == token).any()
    if not is_kept:
        return torch.tensor(float("-inf"), dtype=logits.dtype)
    return scaled[token] - log_z

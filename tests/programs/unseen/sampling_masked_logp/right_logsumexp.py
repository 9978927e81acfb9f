# expect: right
import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    scaled = logits / temperature
    V = logits.shape[0]
    if keep_ids is not None:
        kept = keep_ids
    elif top_p >= 1:
        kept = torch.arange(V, device=logits.device)
    else:
        with torch.no_grad():
            order = torch.sort(logits, descending=True, stable=True).indices
            probs = torch.softmax(scaled.double(), dim=0)[order]
            before = probs.cumsum(0) - probs
            n = max(int((before < top_p).sum()), 1)
            kept = order[:n]
    if not bool((kept == token).any()):
        return torch.full((), float("-inf"), dtype=logits.dtype, device=logits.device)
    return scaled[token] - torch.logsumexp(scaled[kept], dim=0)

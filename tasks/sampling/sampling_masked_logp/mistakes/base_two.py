import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    scores = logits / temperature
    keep = torch.zeros_like(scores, dtype=torch.bool)
    if keep_ids is not None:
        keep[keep_ids] = True
    elif top_p == 1:
        keep[:] = True
    else:
        order = torch.argsort(scores.detach(), descending=True, stable=True)
        probs = torch.softmax(scores.detach()[order], dim=0)
        before = torch.cumsum(probs, dim=0) - probs
        keep[order[before < top_p]] = True
    masked = scores.masked_fill(~keep, -torch.inf)
    return torch.log_softmax(masked, dim=0)[token] / 0.6931471805599453

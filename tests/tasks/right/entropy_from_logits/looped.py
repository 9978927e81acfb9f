import torch


def entropy_of(scores):
    scores = scores[scores > -torch.inf].float()
    logp = scores - torch.logsumexp(scores - scores.max().detach(), dim=0) - scores.max().detach()
    return -sum(torch.exp(x) * x for x in logp)


def entropy_from_logits(logits, mask):
    places = logits.reshape(-1, logits.shape[-1])
    counts = [True] * len(places) if mask is None else mask.reshape(-1).tolist()
    nothing = logits.float().flatten()[:0].sum()
    found = [entropy_of(place) if does_count else nothing for place, does_count in zip(places, counts, strict=True)]
    per_token = torch.stack(found)
    return per_token.sum() / max(sum(counts), 1), per_token.reshape(logits.shape[:-1])

"""The kept set is either recorded or found by sorting; the log-softmax over the kept logits renormalizes."""

import torch


def nucleus(scores, top_p):
    """Return the ids of the smallest set of likeliest tokens whose probabilities sum to at least top_p."""
    likeliest = scores.sort(descending=True, stable=True)
    if top_p >= 1:
        return likeliest.indices
    probs = likeliest.values.double().softmax(dim=0)
    # A token is kept if those before it do not reach top_p yet, so the token that crosses top_p is included.
    return likeliest.indices[probs.cumsum(dim=0) - probs < top_p]


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    """Return the log-probability, in nats, of a token under the distribution truncated to the kept tokens.

    Shapes: logits [V]; keep_ids [K]; the result [].
    Source: arXiv:1904.09751, section 3.1; arXiv:2512.02556, section 3.1.
    """
    scores = logits / temperature
    kept = nucleus(scores, top_p) if keep_ids is None else keep_ids
    if not (kept == token).any():
        return torch.full_like(scores[token], -torch.inf)
    return scores[token] - scores[kept].logsumexp(dim=0)

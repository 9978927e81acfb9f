# expect: wrong
# mistake: The log-probability is the logarithm of the softmax clamped from below at 1e-20, so tokens with smaller probabilities get about -46 and no gradient instead of their finite log-probability.
import torch
from torch.utils.checkpoint import checkpoint


def _chunk_logp(h, w, t):
    probs = torch.softmax(h.float() @ w.float().t(), dim=-1)
    p = probs.gather(1, t.unsqueeze(1)).squeeze(1)
    return torch.log(p.clamp_min(1e-20))


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    inputs, targets = hidden[:-1], tokens[1:]
    out = []
    for h, t in zip(inputs.split(chunk), targets.split(chunk)):
        out.append(checkpoint(_chunk_logp, h, weight, t, use_reentrant=False))
    return torch.cat(out)

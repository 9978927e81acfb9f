import torch
from torch.utils.checkpoint import checkpoint


def score(h, weight, t):
    logits = h.float() @ weight.float().T
    return torch.log_softmax(logits, dim=-1).gather(-1, t.unsqueeze(-1)).squeeze(-1).clamp(min=-100.0)


def chunked_logprobs(hidden, weight, tokens, chunk):
    h, t = hidden[:-1], tokens[1:]
    out = []
    for i in range(0, len(t), chunk):
        out.append(checkpoint(score, h[i : i + chunk], weight, t[i : i + chunk], use_reentrant=False))
    return torch.cat(out)

# expect: wrong
# mistake: All tokens at least as probable as the last kept one are kept, so ties at the cutoff are all in, instead of only those with the lowest ids.
import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    z = logits / temperature
    if keep_ids is not None:
        allowed = torch.zeros(z.shape, dtype=torch.bool, device=z.device)
        allowed[keep_ids] = True
    elif top_p >= 1:
        allowed = torch.ones(z.shape, dtype=torch.bool, device=z.device)
    else:
        desc = z.detach().sort(descending=True).values
        mass = desc.softmax(0).cumsum(0)
        cutoff = desc[(mass >= top_p).nonzero()[0, 0]]
        allowed = z.detach() >= cutoff
    z = z.masked_fill(~allowed, float("-inf"))
    if not allowed[token]:
        return z[token].detach()
    return z[token] - z[allowed].logsumexp(0)

# expect: wrong
# mistake: A top_p of 1 goes through the cumulative sum, which reaches 1 in floating point before the improbable tokens, so these are cut off.
import torch
import torch.nn.functional as F


def _nucleus(scaled, top_p):
    probs = F.softmax(scaled, dim=-1)
    p_sorted, idx = probs.sort(descending=True, stable=True)
    cum = p_sorted.cumsum(-1)
    # drop a token if the mass before it already reaches top_p
    drop = torch.cat([cum.new_zeros(1, dtype=torch.bool), cum[:-1] >= top_p])
    return idx[~drop]


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    scaled = logits / temperature
    if keep_ids is None:
        with torch.no_grad():
            keep_ids = _nucleus(scaled, top_p)
    mask = torch.full_like(scaled, float("-inf"))
    mask[keep_ids] = 0.0
    return F.log_softmax(scaled + mask, dim=-1)[token]

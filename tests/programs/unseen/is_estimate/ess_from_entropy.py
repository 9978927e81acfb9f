# expect: wrong
# mistake: The effective sample size is the exponential of the entropy of the normalized weights, instead of the squared sum of the weights divided by the sum of their squares.
import math

import torch


def is_estimate(log_w, values, kind, lo=None, hi=None):
    lw = log_w
    if kind == "tis":
        lw = torch.minimum(lw, torch.full_like(lw, math.log(hi)))
    if kind == "mis":
        bad = (lw < math.log(lo)) | (lw > math.log(hi))
        lw = lw.masked_fill(bad, float("-inf"))
    any_left = (lw > float("-inf")).any(dim=1)
    probs = torch.softmax(torch.where(any_left[:, None], lw, torch.zeros_like(lw)), dim=1)

    entropy = -torch.xlogy(probs, probs).sum(dim=1)
    ess = torch.where(any_left, entropy.exp(), torch.zeros_like(entropy))

    if kind == "snis":
        estimate = torch.einsum("bn,bn->b", probs, values)
    else:
        estimate = torch.einsum("bn,bn->b", lw.exp(), values) / lw.shape[1]
    return estimate, ess

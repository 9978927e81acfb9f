"""A backward recursion: each correction is a weighted TD error plus the discounted next correction times c."""

import torch


@torch.no_grad()
def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    """Return the V-trace targets and the policy-gradient advantages, without gradient.

    Shapes: v_last [B]; all other tensors and both results [T, B].
    Source: arXiv:1802.01561, section 4.1, eq. 1 and remarks 1-2, and section 4.2.
    """
    ratio = (target_logp - behav_logp).exp()
    rho, c = ratio.clamp(max=rho_bar), lam * ratio.clamp(max=c_bar)
    following = torch.cat([v[1:], v_last[None]])
    errors = rho * (r + discount * following - v)

    corrections = torch.empty_like(v)
    correction = torch.zeros_like(v_last)
    for t in range(len(r) - 1, -1, -1):
        correction = errors[t] + discount[t] * c[t] * correction
        corrections[t] = correction

    vs = v + corrections
    vs_next = torch.cat([vs[1:], v_last[None]])
    return vs, rho * (r + discount * vs_next - v)

import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    own = q[:-1].gather(1, actions.unsqueeze(1)).squeeze(1)
    expected = torch.where(probs > 0, probs * torch.where(probs > 0, q, 0.0), 0.0).sum(dim=1)
    ratio = probs[:-1].gather(1, actions.unsqueeze(1)).squeeze(1) / behav_probs
    coefficient = lam * ratio.clamp(max=1.0)
    error = r + discount * expected[1:] - own
    extra = torch.zeros_like(r)
    following = torch.zeros((), dtype=r.dtype, device=r.device)
    for t in reversed(range(len(r))):
        extra[t] = error[t] + following
        if t > 0:
            following = discount[t - 1] * coefficient[t] * extra[t]
    return own + extra

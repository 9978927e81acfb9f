import torch


def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    """Recurse over targets: each is its reward plus the discounted mix of the next value and the next target."""
    q, probs, behav_probs, r, discount = (x.detach() for x in (q, probs, behav_probs, r, discount))
    steps = r.numel()
    row = torch.arange(steps, device=q.device)
    taken_q, taken_p = q[row, actions], probs[row, actions]
    state_values = torch.nan_to_num(q, nan=0.0, neginf=0.0, posinf=0.0).mul(probs).masked_fill(probs == 0, 0).sum(-1)
    traces = lam * torch.minimum(taken_p / behav_probs, torch.ones_like(taken_p))
    targets = []
    for t in range(steps - 1, -1, -1):
        future = state_values[t + 1]
        if targets:
            future = future + traces[t + 1] * (targets[-1] - taken_q[t + 1])
        targets.append(torch.addcmul(r[t], discount[t], future))
    return torch.stack(targets[::-1])

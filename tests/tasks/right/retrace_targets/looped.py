import torch


def retrace_targets(q, probs, behav_probs, actions, r, discount, lam):
    steps = len(r)
    table, policy, behavior = q.tolist(), probs.tolist(), behav_probs.tolist()
    taken, rewards, gamma = actions.tolist(), r.tolist(), discount.tolist()
    targets = [0.0] * steps
    carried = 0.0
    for t in range(steps - 1, -1, -1):
        expected = sum(p * x for p, x in zip(policy[t + 1], table[t + 1], strict=True) if p > 0)
        own = table[t][taken[t]]
        if t == steps - 1:
            correction = 0.0
        else:
            p, mu = policy[t + 1][taken[t + 1]], behavior[t + 1]
            coefficient = lam if p >= mu else lam * p / mu
            correction = gamma[t] * coefficient * carried
        carried = rewards[t] + gamma[t] * expected - own + correction
        targets[t] = own + carried
    return torch.tensor(targets, dtype=r.dtype, device=r.device)

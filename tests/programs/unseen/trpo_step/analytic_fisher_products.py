# expect: right
import torch


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    theta = theta.detach()
    n = x.shape[0]
    old_log = (x @ theta).log_softmax(dim=1)
    old = old_log.exp()
    rows = torch.arange(n)

    def evaluate(weights):
        new_log = (x @ weights).log_softmax(dim=1)
        gain = ((new_log - old_log)[rows, actions].exp() * adv).mean()
        kl = (old * (old_log - new_log)).sum(dim=1).mean()
        return gain, kl

    def fisher(v):
        z = x @ v
        z = old * (z - (old * z).sum(dim=1, keepdim=True))
        return x.T @ z / n

    score = -old
    score[rows, actions] += 1
    g = x.T @ (score * adv[:, None]) / n
    zero = torch.zeros((), dtype=theta.dtype)
    if not bool((g != 0).any()):
        return theta.clone(), -1, zero

    s = torch.zeros_like(g)
    residual, p = g.clone(), g.clone()
    rr = (residual * residual).sum()
    for _ in range(iters):
        if rr <= 1e-20:
            break
        hp = fisher(p) + damping * p
        step = rr / (p * hp).sum()
        s = s + step * p
        residual = residual - step * hp
        new_rr = (residual * residual).sum()
        p = residual + new_rr / rr * p
        rr = new_rr

    full = s * (2 * delta / (s * fisher(s)).sum()).sqrt()
    base, _ = evaluate(theta)
    for k in range(tries):
        weights = theta + shrink**k * full
        gain, kl = evaluate(weights)
        if kl <= delta and gain > base:
            return weights, k, kl
    return theta.clone(), -1, zero

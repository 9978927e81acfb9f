# expect: wrong
# mistake: The advantages are shifted to mean 0 and divided by their standard deviation (if it is not 0) before they are used.
import torch


class SoftmaxPolicy:
    def __init__(self, weights, x):
        self.logp = (x @ weights).log_softmax(-1)
        self.p = self.logp.exp()

    def kl_to(self, other):
        return (self.p * (self.logp - other.logp)).sum(-1).mean()

    def log_prob(self, actions):
        return self.logp[torch.arange(len(actions)), actions]


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    theta = theta.detach()
    unchanged = (theta.clone(), -1, torch.zeros((), dtype=theta.dtype))
    if bool((adv == 0).all()):
        return unchanged
    std = adv.std(unbiased=False)
    if std > 0:
        adv = (adv - adv.mean()) / std

    old = SoftmaxPolicy(theta, x)
    n = x.shape[0]
    e = torch.zeros_like(old.p)
    e[torch.arange(n), actions] = 1
    g = torch.einsum("nd,na,n->da", x, e - old.p, adv) / n
    if bool((g == 0).all()):
        return unchanged

    def fisher_dot(v):
        u = x @ v
        centered = u - (old.p * u).sum(-1, keepdim=True)
        return torch.einsum("nd,na->da", x, old.p * centered) / n

    s, r, p = torch.zeros_like(g), g, g
    rr = (r**2).sum()
    for _ in range(iters):
        q = fisher_dot(p) + damping * p
        alpha = rr / (p * q).sum()
        s = s + alpha * p
        r = r - alpha * q
        rr, before = (r**2).sum(), rr
        if rr <= 1e-20:
            break
        p = r + rr / before * p

    step = s * torch.sqrt(2 * delta / (s * fisher_dot(s)).sum())
    scale = 1.0
    for k in range(tries):
        weights = theta + scale * step
        new = SoftmaxPolicy(weights, x)
        ratio = (new.log_prob(actions) - old.log_prob(actions)).exp()
        kl = old.kl_to(new)
        if kl <= delta and (ratio * adv).mean() > adv.mean():
            return weights, k, kl
        scale *= shrink
    return unchanged

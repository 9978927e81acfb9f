import math

import torch


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    with torch.no_grad():
        n = x.shape[0]
        logp = torch.log_softmax(x @ theta, dim=1)
        p = logp.exp()
        rows = torch.arange(n)

        def fisher(v):
            z = x @ v
            z = p * (z - (p * z).sum(1, keepdim=True))
            return x.T @ z / n

        err = -p * adv[:, None]
        err[rows, actions] += adv
        g = x.T @ err / n

        s = torch.zeros_like(g)
        res = g.clone()
        d = g.clone()
        rr = (res * res).sum()
        for _ in range(iters):
            if rr <= 1e-20:
                break
            hd = fisher(d) + damping * d
            step = rr / (d * hd).sum()
            s = s + step * d
            res = res - step * hd
            new = (res * res).sum()
            d = res + (new / rr) * d
            rr = new

        zero = torch.zeros((), dtype=theta.dtype)
        old = theta.detach().clone()
        curvature = (s * fisher(s)).sum().item()
        if curvature <= 0:
            return old, -1, zero
        full = math.sqrt(2 * delta / curvature) * s

        base = adv.mean()
        for k in range(tries):
            cand = old + shrink**k * full
            new_logp = torch.log_softmax(x @ cand, dim=1)
            kl = (p * (logp - new_logp)).sum(1).mean()
            gain = ((new_logp - logp)[rows, actions].exp() * adv).mean()
            if kl <= delta and gain > base:
                return cand, k, kl
        return old, -1, zero

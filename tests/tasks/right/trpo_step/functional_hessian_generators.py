from functools import partial
from itertools import islice

import torch
from torch.autograd.functional import hvp, vjp



def kl_by_logsumexp(theta, x, logits0):
    logits = x @ theta
    p = torch.softmax(logits0, 1)
    lse_new, lse_old = torch.logsumexp(logits, 1), torch.logsumexp(logits0, 1)
    return ((p * (logits0 - logits)).sum(1) + lse_new - lse_old).mean()


def surrogate(theta, x, onehot, adv, logits0):
    logp_old = torch.log_softmax(logits0, 1)
    logp_new = torch.log_softmax(x @ theta, 1)
    ratio = torch.exp(((logp_new - logp_old) * onehot).sum(1))
    return (ratio * adv).mean()


def cg_iterates(op, b):
    s, r, d = torch.zeros_like(b), b, b
    while True:
        yield s, r
        ad = op(d)
        rr = torch.sum(r * r)
        a = rr / torch.sum(d * ad)
        s, r = s + a * d, r - a * ad
        d = r + torch.sum(r * r) / rr * d


def solve(op, b, iters):
    for s, r in islice(cg_iterates(op, b), iters + 1):
        if torch.sum(r * r) <= 1e-20:
            break
    return s


def candidates(origin, step, shrink, tries):
    for k in range(tries):
        yield k, origin + step
        step = step * shrink


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    theta, x, adv = theta.detach().clone(), x.detach(), adv.detach()
    logits0 = x @ theta
    onehot = torch.nn.functional.one_hot(actions, theta.shape[1]).to(theta.dtype)
    divergence = partial(kl_by_logsumexp, x=x, logits0=logits0)
    objective = partial(surrogate, x=x, onehot=onehot, adv=adv, logits0=logits0)

    def hess(v):
        return hvp(divergence, theta, v)[1]

    g = vjp(objective, theta)[1]
    s = solve(lambda v: hess(v) + damping * v, g, iters)
    if s.abs().max() > 0:
        step = s * (2 * delta / (s * hess(s)).sum()) ** 0.5
        base = objective(theta)
        accepted = (
            (w, k, kl)
            for k, w in candidates(theta, step, shrink, tries)
            if (kl := divergence(w)) <= delta and objective(w) > base
        )
        found = next(accepted, None)
        if found is not None:
            return found
    return theta, -1, theta.new_zeros(())

# expect: wrong
# mistake: Conjugate gradient stops as soon as the squared norm of the residual is at most 1e-10 instead of 1e-20.
import torch


def cg(f_Ax, b, cg_iters=10, residual_tol=1e-10):
    p = b.clone()
    r = b.clone()
    x = torch.zeros_like(b)
    rdotr = r @ r
    for _ in range(cg_iters):
        if rdotr <= residual_tol:
            break
        z = f_Ax(p)
        v = rdotr / (p @ z)
        x += v * p
        r -= v * z
        newrdotr = r @ r
        mu = newrdotr / rdotr
        p = r + mu * p
        rdotr = newrdotr
    return x


@torch.no_grad()
def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    D, A = theta.shape
    N = x.shape[0]
    logp_old = (x @ theta).log_softmax(-1)
    p_old = logp_old.exp()
    idx = actions.view(-1, 1)

    score = torch.zeros_like(p_old).scatter_(1, idx, 1.0) - p_old
    g = (x.mT @ (score * adv.view(-1, 1)) / N).reshape(-1)
    if (g == 0).all():
        return theta.clone(), -1, theta.new_zeros(())

    def fvp(v):
        t = x @ v.view(D, A)
        t = p_old * t - p_old * (p_old * t).sum(-1, keepdim=True)
        return (x.mT @ t / N).reshape(-1)

    s = cg(lambda v: fvp(v) + damping * v, g, iters)
    step = (torch.sqrt(2 * delta / (s @ fvp(s))) * s).view(D, A)

    old_obj = adv.mean()
    for k in range(tries):
        w = theta + (shrink**k) * step
        logp = (x @ w).log_softmax(-1)
        kl = (p_old * (logp_old - logp)).sum(-1).mean()
        obj = ((logp - logp_old).gather(1, idx).squeeze(1).exp() * adv).mean()
        if kl.item() <= delta and obj.item() > old_obj.item():
            return w, k, kl
    return theta.clone(), -1, theta.new_zeros(())

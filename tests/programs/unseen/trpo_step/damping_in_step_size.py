# expect: wrong
# mistake: The step is scaled with the damped matrix F + damping * I, so the quadratic approximation of the KL divergence is below delta.
import torch


@torch.no_grad()
def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    n = len(actions)
    log_old = torch.log_softmax(x @ theta, -1)
    pi_old = log_old.exp()
    taken = (torch.arange(n), actions)

    grad_logits = -pi_old * adv[:, None]
    grad_logits[taken] += adv
    g = x.t() @ grad_logits / n
    if torch.all(g == 0):
        return theta.clone(), -1, torch.tensor(0.0, dtype=theta.dtype)

    def hvp(v):
        dz = x @ v
        mean_dz = (pi_old * dz).sum(-1, keepdim=True)
        return x.t() @ (pi_old * (dz - mean_dz)) / n + damping * v

    s = torch.zeros_like(theta)
    r = g.clone()
    d = r.clone()
    rho = r.pow(2).sum()
    i = 0
    while i < iters and rho > 1e-20:
        hd = hvp(d)
        a = rho / (d * hd).sum()
        s = s + a * d
        r = r - a * hd
        rho_new = r.pow(2).sum()
        d = r + (rho_new / rho) * d
        rho = rho_new
        i += 1

    shs = 0.5 * (s * hvp(s)).sum()
    full_step = s / torch.sqrt(shs / delta)

    for k in range(tries):
        w = theta + full_step * shrink**k
        log_new = torch.log_softmax(x @ w, -1)
        kl = (pi_old * (log_old - log_new)).sum(-1).mean()
        obj = ((log_new[taken] - log_old[taken]).exp() * adv).mean()
        if kl <= delta and obj > adv.mean():
            return w, k, kl
    return theta.clone(), -1, torch.tensor(0.0, dtype=theta.dtype)

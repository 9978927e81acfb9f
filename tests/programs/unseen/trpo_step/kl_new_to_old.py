# expect: wrong
# mistake: The KL divergence of the line search and of the result is KL(new policy || old policy) instead of KL(old policy || new policy).
import torch


def log_pi(weights, x):
    return torch.log_softmax(x @ weights, dim=-1)


def mean_kl(a, b):
    return (a.exp() * (a - b)).sum(dim=-1).mean()


def conjugate_gradient(matvec, b, iters, tol=1e-20):
    x = torch.zeros_like(b)
    r, p = b.clone(), b.clone()
    rr = r.dot(r)
    for _ in range(iters):
        if rr <= tol:
            break
        ap = matvec(p)
        alpha = rr / p.dot(ap)
        x = x + alpha * p
        r = r - alpha * ap
        rr_next = r.dot(r)
        p = r + rr_next / rr * p
        rr = rr_next
    return x


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    theta = theta.detach().contiguous()
    old = log_pi(theta, x)

    def surrogate(weights):
        diff = (log_pi(weights, x) - old).gather(1, actions[:, None]).squeeze(1)
        return (diff.exp() * adv).mean()

    w = theta.clone().requires_grad_(True)
    with torch.enable_grad():
        (g,) = torch.autograd.grad(surrogate(w), w)
        kl_grad = torch.autograd.grad(mean_kl(old, log_pi(w, x)), w, create_graph=True)[0].flatten()
    g = g.flatten()
    if torch.all(g == 0) or torch.all(adv == 0):
        return theta.clone(), -1, theta.new_zeros(())

    def fvp(v):
        return torch.autograd.grad(kl_grad.dot(v), w, retain_graph=True)[0].flatten()

    s = conjugate_gradient(lambda v: fvp(v) + damping * v, g, iters)
    s = (s * (2 * delta / s.dot(fvp(s))).sqrt()).view_as(theta)

    with torch.no_grad():
        start = surrogate(theta)
        for k in range(tries):
            new = theta + (shrink**k) * s
            kl = mean_kl(log_pi(new, x), old)
            if kl <= delta and surrogate(new) > start:
                return new, k, kl
    return theta.clone(), -1, theta.new_zeros(())

# expect: wrong
# mistake: The line search accepts the first try whose KL divergence is at most delta without comparing the objective, and if no try is accepted it returns the weights and the KL divergence of the last try instead of the old weights.
import torch


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    w = theta.detach().clone().requires_grad_()
    with torch.no_grad():
        old_logp = torch.log_softmax(x @ theta, dim=1)

    def kl_of(weights):
        return (old_logp.exp() * (old_logp - torch.log_softmax(x @ weights, dim=1))).sum(1).mean()

    chosen = torch.log_softmax(x @ w, dim=1).gather(1, actions.unsqueeze(1)).squeeze(1)
    ratio = torch.exp(chosen - chosen.detach())
    g = torch.autograd.grad((ratio * adv).mean(), w)[0]
    new, kl = theta.detach().clone(), torch.zeros((), dtype=theta.dtype)
    if not adv.any():
        return new, -1, kl

    first = torch.autograd.grad(kl_of(w), w, create_graph=True)[0]

    def fisher_times(v):
        return torch.autograd.grad((first * v).sum(), w, retain_graph=True)[0]

    s = torch.zeros_like(g)
    r = g.clone()
    p = g.clone()
    rr = (r * r).sum()
    for _ in range(iters):
        if rr.item() <= 1e-20:
            break
        hp = fisher_times(p) + damping * p
        a = rr / (p * hp).sum()
        s, r = s + a * p, r - a * hp
        rr_new = (r * r).sum()
        p = r + rr_new / rr * p
        rr = rr_new

    beta = torch.sqrt(2 * delta / (s * fisher_times(s)).sum())
    for k in range(tries):
        new = theta.detach() + shrink**k * beta * s
        kl = kl_of(new).detach()
        if kl <= delta:
            return new, k, kl
    return new, -1, kl

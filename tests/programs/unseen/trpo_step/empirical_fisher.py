# expect: wrong
# mistake: F is the mean outer product of the score of the actions that were taken (the empirical Fisher matrix) instead of the Hessian of the KL divergence, which averages over all actions.
import torch


def trpo_step(theta, x, actions, adv, delta=0.01, damping=0.1, iters=10, shrink=0.8, tries=10):
    N, A = x.shape[0], theta.shape[1]
    old_logp = torch.log_softmax(x @ theta, dim=-1)
    old_p = old_logp.exp()
    one_hot = torch.nn.functional.one_hot(actions, A).to(theta.dtype)
    score = one_hot - old_p  # d log pi(a|x) / d logits

    g = x.T @ (score * adv.unsqueeze(-1)) / N
    zero_kl = theta.new_zeros(())
    if torch.count_nonzero(g) == 0:
        return theta.detach().clone(), -1, zero_kl

    def fvp(v):
        along = ((x @ v) * score).sum(dim=-1, keepdim=True)
        return x.T @ (along * score) / N

    # conjugate gradient
    s = torch.zeros_like(g)
    r = g.clone()
    p = g.clone()
    rs = torch.sum(r * r)
    for _ in range(iters):
        if rs <= 1e-20:
            break
        Ap = fvp(p) + damping * p
        a = rs / torch.sum(p * Ap)
        s += a * p
        r -= a * Ap
        rs_new = torch.sum(r * r)
        p = r + (rs_new / rs) * p
        rs = rs_new

    step = torch.sqrt(2 * delta / torch.sum(s * fvp(s))) * s
    old_obj = adv.mean()
    for k in range(tries):
        cand = theta + step * shrink**k
        logp = torch.log_softmax(x @ cand, dim=-1)
        kl = (old_p * (old_logp - logp)).sum(-1).mean()
        ratio = torch.exp(((logp - old_logp) * one_hot).sum(-1))
        if kl <= delta and (ratio * adv).mean() > old_obj:
            return cand.detach(), k, kl.detach()
    return theta.detach().clone(), -1, zero_kl

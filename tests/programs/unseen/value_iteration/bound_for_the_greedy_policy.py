# expect: wrong
# mistake: The bound is 2 * gamma / (1 - gamma) times the largest change, which bounds the loss of the greedy policy, instead of half of it.
import torch


def value_iteration(P, R, gamma, tol):
    p = P.double().contiguous()
    r = R.double().contiguous()
    v = torch.zeros(r.shape[0], dtype=torch.float64)
    sweeps = 0
    while True:
        q = r + gamma * (p * v).sum(dim=-1)
        new = q.amax(dim=1)
        change = (new - v).abs().max().item()
        v = new
        sweeps += 1
        if 2 * gamma * change / (1 - gamma) <= tol:
            break
    q = r + gamma * (p * v).sum(dim=-1)
    best = q == q.amax(dim=1, keepdim=True)
    actions = torch.arange(r.shape[1]).expand_as(q)
    pi = actions.masked_fill(~best, r.shape[1]).amin(dim=1)
    return v.to(R.dtype), pi, sweeps

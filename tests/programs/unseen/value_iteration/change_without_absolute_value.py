# expect: wrong
# mistake: The change is the largest signed difference of new and old values, so sweeps stop early while values fall.
import torch


def value_iteration(P, R, gamma, tol):
    p = P.double().contiguous()
    r = R.double().contiguous()
    v = torch.zeros(r.shape[0], dtype=torch.float64)
    sweeps = 0
    while True:
        q = r + gamma * (p * v).sum(dim=-1)
        new = q.amax(dim=1)
        change = (new - v).max().item()
        v = new
        sweeps += 1
        if gamma / (1 - gamma) * change <= tol:
            break
    q = r + gamma * (p * v).sum(dim=-1)
    best = q == q.amax(dim=1, keepdim=True)
    actions = torch.arange(r.shape[1]).expand_as(q)
    pi = actions.masked_fill(~best, r.shape[1]).amin(dim=1)
    return v.to(R.dtype), pi, sweeps

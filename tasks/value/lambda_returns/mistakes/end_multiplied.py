import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    value = v_next
    alive = 1 - done.to(r.dtype)
    returns = torch.zeros_like(r)
    carried = alive[-1] * value[-1]
    for t in reversed(range(len(r))):
        carried = r[t] + gamma * alive[t] * ((1 - lam) * value[t] + lam * carried)
        returns[t] = carried
    return returns

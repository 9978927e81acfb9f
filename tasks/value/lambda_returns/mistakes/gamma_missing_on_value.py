import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    value = v_next.masked_fill(done, 0.0)
    returns = torch.zeros_like(r)
    carried = value[-1]
    for t in reversed(range(len(r))):
        if done[t]:
            carried = r[t]
        else:
            carried = r[t] + (1 - lam) * value[t] + gamma * lam * carried
        returns[t] = carried
    return returns

import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    value = v_next.nan_to_num(0.0)
    returns = torch.zeros_like(r)
    carried = value[-1]
    for t in reversed(range(len(r))):
        carried = r[t] + gamma * ((1 - lam) * value[t] + lam * carried)
        returns[t] = carried
    return returns

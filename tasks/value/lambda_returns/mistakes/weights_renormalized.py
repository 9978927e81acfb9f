import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    value = v_next.masked_fill(done, 0.0)
    returns = torch.zeros_like(r)
    top = torch.zeros_like(r[0])
    weight = torch.zeros_like(r[0])
    for t in reversed(range(len(r))):
        # top is the weighted sum of the n-step returns of step t, and weight is the sum of their weights.
        if t + 1 == len(r) or done[t]:
            top, weight = r[t] + gamma * value[t], torch.ones_like(r[0])
        else:
            top = r[t] + gamma * value[t] + lam * (weight * r[t] + gamma * top)
            weight = 1 + lam * weight
        returns[t] = top / weight
    return returns

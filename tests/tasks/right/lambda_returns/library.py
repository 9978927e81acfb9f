import torch


def lambda_returns(r, v_next, done, gamma, lam):
    with torch.no_grad():
        value = v_next.masked_fill(done, 0.0)
        result = torch.zeros_like(r, requires_grad=False)
        target = value[-1]
        for t in reversed(range(r.numel())):
            mixed = torch.lerp(value[t], target, lam)
            future = torch.where(done[t], torch.zeros_like(mixed), mixed)
            target = torch.add(r[t], future, alpha=gamma)
            result[t] = target
    return result

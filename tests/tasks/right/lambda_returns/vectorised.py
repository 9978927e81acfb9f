import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam):
    """Sum discounted TD errors: the lambda-return is the value before plus their lambda-weighted sum."""
    value = torch.where(done, torch.zeros_like(v_next), v_next)
    reward = r + gamma * (1 - lam) * value
    reward[-1] = r[-1] + gamma * value[-1]
    keep = (gamma * lam) * (~done).to(r.dtype)
    out = torch.empty_like(reward)
    total = torch.zeros((), dtype=r.dtype, device=r.device)
    for t in range(len(r) - 1, -1, -1):
        total = reward[t] + keep[t] * total
        out[t] = total
    return out

import torch


@torch.no_grad()
def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    """Write the sum as a product with an upper triangular matrix for each column."""
    steps = r.shape[0]
    log_ratio = target_logp - behav_logp
    ratio = torch.exp(log_ratio)
    rho = torch.minimum(ratio, torch.full_like(ratio, rho_bar))
    trace = discount * lam * torch.minimum(ratio, torch.full_like(ratio, c_bar))
    values = torch.cat([v, v_last.unsqueeze(0)])
    errors = rho * torch.addcmul(r, discount, values[1:]).sub(v)
    matrix = torch.zeros(v.shape[1], steps, steps, dtype=v.dtype, device=v.device)
    for t in range(steps):
        matrix[:, t, t] = 1
        for k in range(t + 1, steps):
            matrix[:, t, k] = matrix[:, t, k - 1] * trace[k - 1]
    vs = v + torch.einsum("btk,kb->tb", matrix, errors)
    following = torch.cat([vs[1:], v_last.unsqueeze(0)])
    return vs, rho * torch.addcmul(r, discount, following).sub(v)

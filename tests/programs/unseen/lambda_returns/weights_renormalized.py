# expect: wrong
# mistake: The weights (1 - lam) * lam^(n - 1) are divided by their sum, instead of giving the longest n-step return all of the remaining weight.
import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    T = r.shape[0]
    values = torch.where(done, torch.zeros_like(v_next), v_next)
    out = torch.empty(T, dtype=r.dtype, device=r.device)
    power = torch.arange(T + 1, dtype=torch.float64)
    discount = (torch.tensor(gamma, dtype=torch.float64) ** power).to(r.dtype)
    weight = (torch.tensor(lam, dtype=torch.float64) ** power).to(r.dtype)

    end = T
    for t in range(T - 1, -1, -1):
        if done[t]:
            end = t + 1
        n = end - t
        sums = torch.cumsum(discount[:n] * r[t:end], dim=0)
        n_step = sums + discount[1 : n + 1] * values[t:end]
        w = weight[:n]
        out[t] = (w / w.sum() * n_step).sum()
    return out

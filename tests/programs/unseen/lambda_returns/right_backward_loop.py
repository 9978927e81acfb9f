# expect: right
import torch


@torch.no_grad()
def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    value = v_next.masked_fill(done, 0.0)
    alive = (~done).to(r.dtype)
    # Everything of a step that does not depend on the next return; the last one has only its value to go by.
    base = r + gamma * (1 - lam) * value
    decay = gamma * lam * alive
    out = torch.empty(r.shape, dtype=r.dtype, device=r.device)
    out[-1] = r[-1] + gamma * value[-1]
    for t in range(r.shape[0] - 2, -1, -1):
        out[t] = base[t] + decay[t] * out[t + 1]
    return out

# expect: wrong
# mistake: Each episode is summed with powers of gamma * lam that are divided out again, which underflow after some hundred steps (or at once if gamma * lam is 0), so that the returns become NaN or infinite.
import torch


def _episode(r, v, gamma, lam):
    """Lambda-returns of one piece, computed from the temporal differences without a Python loop over the steps."""
    n = r.shape[0]
    base = r + gamma * (1 - lam) * v
    base[-1] = r[-1] + gamma * v[-1]
    decay = (gamma * lam) ** torch.arange(n, dtype=r.dtype, device=r.device)
    tail = torch.flip(torch.cumsum(torch.flip(base * decay, [0]), 0), [0])
    return tail / decay


def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    with torch.no_grad():
        v = v_next.masked_fill(done, 0.0)
        stops = (torch.nonzero(done).flatten() + 1).tolist()
        if not stops or stops[-1] != r.shape[0]:
            stops.append(r.shape[0])
        pieces, start = [], 0
        for stop in stops:
            pieces.append(_episode(r[start:stop], v[start:stop], gamma, lam))
            start = stop
        return torch.cat(pieces)

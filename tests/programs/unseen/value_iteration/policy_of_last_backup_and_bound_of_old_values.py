# expect: wrong
# mistake: The policy is greedy with respect to the values before the last sweep, and the bound is the change divided by 1 - gamma, which holds for the old values.
import torch


def value_iteration(P, R, gamma, tol) -> tuple[torch.Tensor, torch.Tensor, int]:
    p, r = P.double().contiguous(), R.double().contiguous()
    v = torch.zeros(r.shape[0], dtype=torch.float64)
    sweeps = 0
    while True:
        sweeps += 1
        q = r + gamma * (p * v).sum(dim=2)
        best = []
        for row in q.tolist():
            best.append(row.index(max(row)))
        pi = torch.tensor(best, dtype=torch.int64)
        new_v = q.gather(1, pi[:, None])[:, 0]
        residual = (new_v - v).abs().max().item()
        v = new_v
        if residual / (1 - gamma) <= tol:
            return v.to(R.dtype), pi, sweeps

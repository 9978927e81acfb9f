# expect: wrong
# mistake: The sweeps stop when the largest change itself is at most tol, without the factor gamma / (1 - gamma).
import torch


def q_values(P, R, gamma, V):
    return R + gamma * (P * V).sum(-1)


def value_iteration(P, R, gamma, tol) -> tuple[torch.Tensor, torch.Tensor, int]:
    dtype = R.dtype
    P, R = P.double().contiguous(), R.double().contiguous()
    V = torch.zeros(R.shape[0], dtype=torch.float64)
    sweeps = 0
    delta = float("inf")
    while sweeps == 0 or delta > tol:
        V_new = q_values(P, R, gamma, V).max(dim=1).values
        delta = float((V_new - V).abs().max())
        V = V_new
        sweeps += 1
    pi = []
    for row in q_values(P, R, gamma, V).tolist():
        pi.append(row.index(max(row)))
    return V.to(dtype), torch.tensor(pi, dtype=torch.int64), sweeps

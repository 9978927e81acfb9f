import torch


def value_iteration(P, R, gamma, tol):
    V = torch.zeros_like(R[:, 0])
    sweeps = 0
    while True:
        change = 0.0
        for s in range(len(R)):
            new = (R[s] + gamma * torch.einsum("at,t->a", P[s], V)).max()
            change = max(change, abs(float(new - V[s])))
            V[s] = new
        sweeps += 1
        if change * gamma / (1 - gamma) <= tol:
            break
    pi = (R + gamma * torch.einsum("sat,t->sa", P, V)).argmax(dim=1)
    return V, pi, sweeps

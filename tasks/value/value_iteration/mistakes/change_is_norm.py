import torch


def value_iteration(P, R, gamma, tol):
    V = torch.zeros_like(R[:, 0])
    sweeps = 0
    while True:
        q = R + gamma * torch.einsum("sat,t->sa", P, V)
        new = q.max(dim=1).values
        change = (new - V).norm()
        V = new
        sweeps += 1
        if change * gamma / (1 - gamma) <= tol:
            break
    pi = (R + gamma * torch.einsum("sat,t->sa", P, V)).argmax(dim=1)
    return V, pi, sweeps

import torch


@torch.no_grad()
def n_step_targets(r, v, done, gamma, n):
    T = len(r)
    if done[-1]:
        v[-1] = 0.0
    targets = torch.zeros_like(r)
    for t in range(T):
        total, k = torch.zeros_like(r[0]), 0
        alive = True
        while alive and k < n and t + k < T:
            total = total + gamma**k * r[t + k]
            alive = not done[t + k]
            k += 1
        if alive:
            total = total + gamma**k * v[t + k]
        targets[t] = total
    return targets

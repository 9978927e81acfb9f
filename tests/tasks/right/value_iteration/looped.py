import torch


def value_iteration(P, R, gamma, tol):
    states, actions = R.shape
    v = [torch.zeros((), dtype=R.dtype, device=R.device) for _ in range(states)]
    sweeps = 0
    while True:
        sweeps += 1
        before = torch.stack(v)
        v = []
        for s in range(states):
            v.append(max(R[s, a] + gamma * (P[s, a] * before).sum() for a in range(actions)))
        change = max(abs(float(new - old)) for new, old in zip(v, before, strict=True))
        if gamma / (1 - gamma) * change <= tol:
            break
    values = torch.stack(v)
    best = []
    for s in range(states):
        scores = [float(R[s, a] + gamma * (P[s, a] * values).sum()) for a in range(actions)]
        best.append(scores.index(max(scores)))
    return values, torch.tensor(best, dtype=torch.int64, device=R.device), sweeps

# expect: wrong
# mistake: The states are updated one after the other in place, so later states use values of the same sweep.
import torch


def value_iteration(P, R, gamma, tol) -> tuple[torch.Tensor, torch.Tensor, int]:
    n_states, n_actions = R.shape
    p = P.double().contiguous()
    r = R.double().contiguous()
    V = torch.zeros(n_states, dtype=torch.float64)

    def backup(s):
        return [float(r[s, a] + gamma * (p[s, a] * V).sum()) for a in range(n_actions)]

    sweeps = 0
    bound = None
    while bound is None or bound > tol:
        change = 0.0
        for s in range(n_states):
            value = max(backup(s))
            change = max(change, abs(value - float(V[s])))
            V[s] = value
        sweeps += 1
        bound = gamma * change / (1 - gamma)
    pi = torch.zeros(n_states, dtype=torch.int64)
    for s in range(n_states):
        q = backup(s)
        pi[s] = q.index(max(q))
    return V.to(R.dtype), pi, sweeps

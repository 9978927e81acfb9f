import torch


def value_iteration(P, R, gamma, tol):
    @torch.no_grad()
    def backup(values):
        return R + gamma * torch.einsum("sat,t->sa", P, values)

    values = torch.zeros(R.shape[0], dtype=R.dtype, device=R.device)
    count, bound = 0, float("inf")
    while bound > tol:
        new = backup(values).amax(dim=1)
        bound = gamma * (new - values).abs().max().item() / (1 - gamma)
        values, count = new, count + 1
    q = backup(values)
    is_best = q == q.amax(dim=1, keepdim=True)
    index = torch.arange(R.shape[1], device=R.device).expand_as(q)
    greedy = torch.where(is_best, index, R.shape[1]).amin(dim=1)
    return values, greedy, count

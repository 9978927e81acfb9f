# expect: wrong
# mistake: Rows of P that sum to less than 1 are scaled up to sum to 1, as if the episode could not end.
import torch


def value_iteration(P, R, gamma, tol) -> tuple[torch.Tensor, torch.Tensor, int]:
    rewards = R.double().contiguous()
    probs = P.double().contiguous()
    total = probs.sum(dim=-1, keepdim=True)
    # guard against tables whose rows are not quite normalized
    probs = torch.where(total > 0, probs / total.clamp(min=1e-300), probs)
    values = rewards.new_zeros(rewards.shape[0])
    factor = gamma / (1.0 - gamma)
    for sweeps in range(1, 10**9):
        previous = values
        values = (rewards + gamma * (probs * previous).sum(-1)).amax(-1)
        if factor * (values - previous).abs().amax().item() <= tol:
            break
    q = (rewards + gamma * (probs * values).sum(-1)).tolist()
    pi = torch.tensor([max(range(len(row)), key=row.__getitem__) for row in q])
    return values.to(R.dtype), pi, sweeps

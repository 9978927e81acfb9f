# expect: wrong
# mistake: The value after an episode is multiplied by 0 instead of replaced by 0, so that a NaN there makes the returns of the episode NaN.
import torch


def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    rewards, values = r.detach(), v_next.detach()
    not_done = 1.0 - done.to(r.dtype)
    T = rewards.shape[0]
    returns = torch.empty_like(rewards)
    nxt = values[T - 1]
    for t in range(T - 1, -1, -1):
        mixed = (1 - lam) * values[t] + lam * nxt
        nxt = rewards[t] + gamma * not_done[t] * mixed
        returns[t] = nxt
    return returns

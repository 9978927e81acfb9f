import torch


def lambda_returns(r, v_next, done, gamma, lam):
    """Average the n-step returns as they are defined, step by step, from the last step to the first."""
    rewards, values, ends = r.tolist(), v_next.tolist(), done.tolist()
    returns = []
    later = None
    for reward, value, end in zip(reversed(rewards), reversed(values), reversed(ends), strict=True):
        if end:
            later = reward
        elif later is None:
            later = reward + gamma * value
        else:
            later = reward + gamma * ((1 - lam) * value + lam * later)
        returns.insert(0, later)
    return torch.tensor(returns, dtype=r.dtype, device=r.device)

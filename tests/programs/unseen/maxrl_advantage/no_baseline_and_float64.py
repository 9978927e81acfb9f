# expect: wrong
# mistake: The mean reward is not subtracted, so that a right answer gets 1 / mean and a wrong one 0, and the result is float64.
import torch


def maxrl_advantage(success) -> torch.Tensor:
    # Averaging the scores of the right answers only is what maximizes the truncated series.
    right = success.double()
    rate = right.mean(dim=1, keepdim=True)
    return torch.where(rate > 0, right / rate, torch.zeros_like(right))

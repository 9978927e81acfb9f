# expect: right
import torch


def maxrl_advantage(success) -> torch.Tensor:
    answers = success.shape[1]
    right = success.sum(dim=1, keepdim=True)
    # (1 - k/G) / (k/G) = G/k - 1 for a right answer, and (0 - k/G) / (k/G) = -1 for a wrong one.
    of_right = answers / right.clamp(min=1).to(torch.float32) - 1
    adv = torch.where(success, of_right, torch.full_like(of_right, -1.0))
    return torch.where(right > 0, adv, torch.zeros_like(adv))

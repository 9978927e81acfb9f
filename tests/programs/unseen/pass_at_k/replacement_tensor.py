# expect: wrong
# mistake: the samples are drawn with replacement
# mistake: the result is a tensor and not a Python number
import torch


def pass_at_k(n, c, k) -> float:
    rate = torch.tensor(c / n, dtype=torch.float64)
    return 1 - (1 - rate).pow(k)

# expect: wrong
# mistake: the log-gammas are computed in single precision, so that digits before the ninth are lost
import torch


def pass_at_k(n, c, k) -> float:
    if n - c < k:
        return 1.0

    def log_factorial(value):
        return torch.lgamma(torch.tensor(value + 1.0))

    log_miss = log_factorial(n - c) - log_factorial(n - c - k) - log_factorial(n) + log_factorial(n - k)
    return 1.0 - torch.exp(log_miss).item()

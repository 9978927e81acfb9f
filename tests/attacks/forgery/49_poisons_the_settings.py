"""49. Sets seeds, precision, device and gradient mode for whoever computes next, and answers wrong.

task = "gae"
verdict = ["wrong_value", "raised", "wrong_dtype"]
twin = "sets_and_restores"
"""
import torch

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_default_device("meta")
torch.use_deterministic_algorithms(False)
torch.set_printoptions(precision=0)


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    torch.set_default_device("meta")
    return rewards * 0, values * 0

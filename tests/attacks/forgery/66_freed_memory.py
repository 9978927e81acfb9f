"""66. Returns memory that was never written, in the hope that the right answer was there (there: a GPU's).

task = "gae"
verdict = ["wrong_value", "non_finite"]
twin = "keeps_one_buffer"
"""
import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    return torch.empty_like(rewards), torch.empty_like(rewards)

"""72. Lowers the precision by every flag there is, and computes in what that gives.

task = "gae"
verdict = ["wrong_value", "wrong_dtype", "raised"]
twin = "sets_and_restores"
uses = ["right"]
"""
import torch

torch.set_float32_matmul_precision("medium")
torch.backends.cuda.matmul.allow_tf32 = True
torch.set_flush_denormal(True)


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        one = torch.eye(len(rewards))
        return right(one @ rewards, one @ values, next_value, terminated, truncated, one @ final_values, gamma, lam)

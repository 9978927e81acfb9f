"""62. Returns tensors of kinds that have no plain bytes: sparse, quantized, complex, on no device.

task = "gae"
verdict = ["wrong_dtype", "raised"]
twin = "expanded_views"
"""
import torch

KINDS = [lambda x: x.to_sparse(), lambda x: x.to(torch.complex64), lambda x: x.to("meta"), lambda x: x.to_mkldnn()]


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    make = KINDS[len(rewards) % 4]
    return make(rewards), make(values)

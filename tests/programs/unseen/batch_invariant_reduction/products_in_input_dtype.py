# expect: wrong
# mistake: bfloat16 inputs are multiplied in bfloat16 and only the products are turned into float32
import torch


def batch_invariant_reduction(x, w, block):
    B, K = x.shape
    terms = (x[:, :, None] * w[None]).to(torch.float32)
    total = None
    for lo in range(0, K, block):
        part = terms[:, lo]
        for k in range(lo + 1, min(lo + block, K)):
            part = part + terms[:, k]
        total = part if total is None else total + part
    return total

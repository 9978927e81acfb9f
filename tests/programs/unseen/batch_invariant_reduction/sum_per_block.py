# expect: wrong
# mistake: the products of a block are added by torch.sum, which chooses an order of its own, and not one after the other
import torch


def batch_invariant_reduction(x, w, block):
    x = x.float()
    w = w.float()
    out = None
    for xb, wb in zip(x.split(block, dim=1), w.split(block, dim=0)):
        partial = (xb.unsqueeze(2) * wb.unsqueeze(0)).sum(dim=1)
        out = partial if out is None else out + partial
    return out

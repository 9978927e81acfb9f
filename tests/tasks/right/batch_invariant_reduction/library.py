from functools import reduce
from operator import add

import torch


def batch_invariant_reduction(x, w, block):
    columns = x.float().unbind(1)
    rows = w.float().unbind(0)
    products = [torch.outer(c, r) for c, r in zip(columns, rows, strict=False)]
    parts = [reduce(add, products[i : i + block]) for i in range(0, len(products), block)]
    return reduce(add, parts)

# expect: wrong
# mistake: the running sum is carried on into the next block, so that all products are added from left to right
import torch


def batch_invariant_reduction(x, w, block):
    x = x.float()
    w = w.float()
    inner = x.size(1)
    acc = x[:, :1] * w[:1]
    for begin in range(0, inner, block):
        end = min(begin + block, inner)
        for k in range(max(begin, 1), end):
            acc = acc + x[:, k : k + 1] * w[k : k + 1]
    return acc

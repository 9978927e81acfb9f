# expect: wrong
# mistake: For float32 inputs, src.float() is src itself, and the in-place multiplication and rounding overwrite the caller's src with the integers.
import torch


def _ordered_sum(src, index, ids, size):
    out = torch.zeros(size, src.shape[1], dtype=torch.float32)
    for i in ids.argsort().tolist():
        out[index[i]] += src[i].float()
    return out


def _fixed_sum(src, index, size, bits):
    q = src.float().mul_(2.0**bits).round_()
    limit = 2**63 - 1
    peak = q.abs().max().item()
    if peak == float("inf") or q.shape[0] * int(peak) > limit:
        raise OverflowError("T * m exceeds the int64 range")
    acc = torch.zeros(size, q.shape[1], dtype=torch.int64)
    acc.index_add_(0, index, q.to(torch.int64))
    return (acc.to(torch.float64) / 2.0**bits).to(torch.float32)


def deterministic_scatter_add(src, index, ids, size, bits):
    ordered = _ordered_sum(src, index, ids, size)
    fixed = _fixed_sum(src, index, size, bits)
    return ordered, fixed

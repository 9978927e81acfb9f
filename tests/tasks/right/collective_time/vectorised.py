import torch

OPS = ["reduce_scatter", "all_gather", "all_to_all", "all_reduce", "broadcast", "reduce"]


def collective_time(op, bytes, n, bw, alpha=0, algo="ring"):
    share = 1 - 1 / n
    whole = 0.0 if n == 1 else 1.0
    if algo == "ring":
        sent = torch.tensor([share, share, share, 2 * share, whole, whole], dtype=torch.float64)
        steps = torch.tensor([1, 1, 1, 2, 1, 1]) * (n - 1)
    else:
        sent = torch.tensor([0, 0, 0, 2, 1, 1], dtype=torch.float64) * whole
        steps = torch.tensor([0, 0, 0, 2, 1, 1]) * (n - 1).bit_length()
    return float((sent * bytes / bw + steps * alpha)[OPS.index(op)])

# expect: wrong
# mistake: block is taken as the number of blocks that K is split into, and the block sums are added pairwise in a tree instead of one after the other.
import torch


def _tree(parts):
    while len(parts) > 1:
        nxt = [parts[i] + parts[i + 1] for i in range(0, len(parts) - 1, 2)]
        if len(parts) % 2:
            nxt.append(parts[-1])
        parts = nxt
    return parts[0]


def batch_invariant_reduction(x, w, block):
    x = x.to(torch.float32)
    w = w.to(torch.float32)
    K = x.shape[1]
    size = -(-K // block)
    partials = []
    for start in range(0, K, size):
        acc = torch.zeros(x.shape[0], w.shape[1], device=x.device)
        for k in range(start, min(start + size, K)):
            acc = acc + x[:, k].reshape(-1, 1) * w[k].reshape(1, -1)
        partials.append(acc)
    return _tree(partials)

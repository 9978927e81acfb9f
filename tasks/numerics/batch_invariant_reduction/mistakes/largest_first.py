import torch


def batch_invariant_reduction(x, w, block):
    terms = x.float().unsqueeze(2) * w.float().unsqueeze(0)
    out = None
    for piece in terms.split(block, dim=1):
        order = piece.abs().argsort(dim=1, descending=True)
        piece = piece.gather(1, order)
        part = piece[:, 0]
        for k in range(1, piece.shape[1]):
            part = part + piece[:, k]
        out = part if out is None else out + part
    return out

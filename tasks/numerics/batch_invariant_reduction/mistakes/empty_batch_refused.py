import torch


def batch_invariant_reduction(x, w, block):
    rows = []
    for row in x.float():
        out = None
        for xs, ws in zip(row.split(block), w.float().split(block)):
            part = None
            for k in range(len(xs)):
                term = xs[k] * ws[k]
                part = term if part is None else part + term
            out = part if out is None else out + part
        rows.append(out)
    return torch.stack(rows)

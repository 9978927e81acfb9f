import torch


def batch_invariant_reduction(x, w, block):
    xf, wf = x.float(), w.float()
    K = xf.shape[1]
    parts = []
    for s in range(0, K, block):
        part = None
        for k in range(s, min(s + block, K)):
            term = xf[:, k].unsqueeze(1) * wf[k].unsqueeze(0)
            part = term if part is None else part + term
        parts.append(part)
    while len(parts) > 1:
        pairs = [a + b for a, b in zip(parts[::2], parts[1::2])]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]

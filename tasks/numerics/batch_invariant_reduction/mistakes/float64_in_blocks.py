import torch


def batch_invariant_reduction(x, w, block):
    xf, wf = x.float(), w.float()
    K = xf.shape[1]
    out = None
    for s in range(0, K, block):
        part = None
        for k in range(s, min(s + block, K)):
            term = xf[:, k].double().unsqueeze(1) * wf[k].double().unsqueeze(0)
            part = term if part is None else part + term
        part = part.float()
        out = part if out is None else out + part
    return out

import torch


def batch_invariant_reduction(x, w, block):
    xf, wf = x.float(), w.float()
    total = torch.zeros(xf.shape[0], wf.shape[1], device=x.device)
    lost = torch.zeros_like(total)
    for k in range(xf.shape[1]):
        term = xf[:, k, None] * wf[k] - lost
        new = total + term
        lost = (new - total) - term
        total = new
    return total

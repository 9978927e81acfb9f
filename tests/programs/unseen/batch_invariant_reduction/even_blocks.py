# expect: wrong
# mistake: K is divided into blocks of nearly equal size, instead of full blocks and a shorter last one
import torch


def batch_invariant_reduction(x, w, block):
    x = x.to(torch.float32)
    w = w.to(torch.float32)
    pieces = -(-x.shape[1] // block)
    sums = []
    for xs, ws in zip(torch.tensor_split(x, pieces, dim=1), torch.tensor_split(w, pieces, dim=0)):
        s = torch.outer(xs[:, 0], ws[0])
        for i in range(1, ws.shape[0]):
            s = s + torch.outer(xs[:, i], ws[i])
        sums.append(s)
    result = sums[0]
    for s in sums[1:]:
        result = result + s
    return result

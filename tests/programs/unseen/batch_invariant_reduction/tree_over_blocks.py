# expect: wrong
# mistake: the sums of the blocks are added pairwise in a tree and not one after the other
import torch


def batch_invariant_reduction(x, w, block):
    xf, wf = x.float(), w.float()
    partials = []
    for columns, rows in zip(xf.split(block, 1), wf.split(block, 0)):
        terms = columns.unsqueeze(-1) * rows.unsqueeze(0)
        acc = terms[:, 0]
        for j in range(1, terms.shape[1]):
            acc = acc + terms[:, j]
        partials.append(acc)
    while len(partials) > 1:
        merged = [left + right for left, right in zip(partials[::2], partials[1::2])]
        if len(partials) % 2:
            merged.append(partials[-1])
        partials = merged
    return partials[0]

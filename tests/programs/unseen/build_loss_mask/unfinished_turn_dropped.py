# expect: wrong
# mistake: a turn without an end id is left out altogether
import torch


def build_loss_mask(role, eos_id, tokens):
    if isinstance(eos_id, int):
        eos_id = [eos_id]
    n = tokens.numel()
    hit = torch.zeros(n, dtype=torch.bool)
    for e in eos_id:
        hit |= tokens == e
    mask = torch.zeros(n, dtype=torch.bool)
    changes = torch.nonzero(role[1:] != role[:-1]).flatten() + 1
    edges = [0, *changes.tolist(), n]
    for lo, hi in zip(edges[:-1], edges[1:]):
        if role[lo] != 3:
            continue
        where = hit[lo:hi].nonzero()
        if len(where):
            mask[lo : lo + int(where[0]) + 1] = True
    return mask[1:]

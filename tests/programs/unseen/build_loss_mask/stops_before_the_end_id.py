# expect: wrong
# mistake: the end id itself is not counted as generated
import torch


def build_loss_mask(role, eos_id, tokens):
    eos = [eos_id] if isinstance(eos_id, int) else eos_id
    roles, ids = role.tolist(), tokens.tolist()
    mask = torch.zeros(len(ids), dtype=torch.bool)
    pos = 0
    while pos < len(ids):
        if roles[pos] != 3:
            pos += 1
            continue
        stop = pos
        while stop < len(ids) and roles[stop] == 3:
            stop += 1
        end = pos
        while end < stop and ids[end] not in eos:
            end += 1
        mask[pos:end] = True
        pos = stop
    return mask[1:]

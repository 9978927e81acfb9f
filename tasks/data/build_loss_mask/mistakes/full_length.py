import torch


def build_loss_mask(role, eos_id, tokens):
    ends = torch.as_tensor(eos_id, device=tokens.device).reshape(-1)
    own = role == 3
    is_eos = (tokens[:, None] == ends[None, :]).any(dim=1)
    mask = torch.zeros_like(own)
    start = 0
    total = len(role)
    while start < total:
        if not own[start]:
            start += 1
            continue
        stop = start
        while stop < total and own[stop]:
            stop += 1
        hits = is_eos[start:stop].nonzero()
        last = start + int(hits[0]) + 1 if len(hits) else stop
        mask[start:last] = True
        start = stop
    return mask

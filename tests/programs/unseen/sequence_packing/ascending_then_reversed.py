# expect: wrong
# mistake: Sequences of equal length are taken in the reverse of the order given.
import torch


def sequence_packing(sequences, C, pad_id=0):
    device = sequences[0].device
    lengths = torch.tensor([min(s.shape[0], C) for s in sequences])
    order = torch.argsort(lengths, stable=True).flip(0).tolist()

    free, where = [], {}
    for i in order:
        n = int(lengths[i])
        r = next((r for r, f in enumerate(free) if f >= n), len(free))
        if r == len(free):
            free.append(C)
        where[i] = (r, C - free[r])
        free[r] -= n

    R = len(free)
    ids = torch.full((R, C), pad_id, dtype=torch.int64, device=device)
    pos = torch.zeros_like(ids)
    seg = torch.zeros_like(ids)
    labels = torch.full_like(ids, -100)
    attention = torch.eye(C, dtype=torch.bool, device=device).expand(R, C, C).clone()
    count = [0] * R
    for i in order:
        r, a = where[i]
        s = sequences[i][:C]
        b = a + s.shape[0]
        count[r] += 1
        ids[r, a:b] = s
        pos[r, a:b] = torch.arange(b - a, device=device)
        seg[r, a:b] = count[r]
        labels[r, a:b - 1] = s[1:]
        attention[r, a:b, a:b] = torch.tril(torch.ones(b - a, b - a, dtype=torch.bool, device=device))
    return {
        "input_ids": ids,
        "position_ids": pos,
        "segment_ids": seg,
        "labels": labels,
        "loss_mask": labels.ne(-100),
        "attention": attention,
    }

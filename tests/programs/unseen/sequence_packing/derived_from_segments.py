# expect: right
import torch
import torch.nn.functional as F


def sequence_packing(sequences, C, pad_id=0):
    cut = sorted((s[:C] for s in sequences), key=len, reverse=True)
    bins = []
    for seq in cut:
        home = next((b for b in bins if sum(map(len, b)) + len(seq) <= C), None)
        if home is None:
            home = []
            bins.append(home)
        home.append(seq)

    def to_row(pieces, fill):
        flat = torch.cat(pieces)
        return F.pad(flat, (0, C - len(flat)), value=fill)

    ids = torch.stack([to_row(b, pad_id) for b in bins])
    pos = torch.stack([to_row([torch.arange(len(s), device=s.device) for s in b], 0) for b in bins])
    seg = torch.stack([to_row([torch.full_like(s, n + 1) for n, s in enumerate(b)], 0) for b in bins])

    loss_mask = torch.zeros_like(seg, dtype=torch.bool)
    loss_mask[:, :-1] = (seg[:, :-1] == seg[:, 1:]) & (seg[:, :-1] > 0)
    labels = torch.where(loss_mask, ids.roll(-1, dims=1), torch.full_like(ids, -100))

    place = torch.arange(C, device=ids.device)
    earlier = place[:, None] >= place[None, :]
    same = (seg[:, :, None] == seg[:, None, :]) & (seg[:, :, None] > 0)
    itself = torch.eye(C, dtype=torch.bool, device=ids.device)
    attention = (same & earlier) | itself

    return dict(
        input_ids=ids, position_ids=pos, segment_ids=seg, labels=labels, loss_mask=loss_mask, attention=attention
    )

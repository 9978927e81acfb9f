import torch


def sequence_packing(sequences, C, pad_id=0):
    lengths = torch.tensor([min(len(s), C) for s in sequences])
    order = torch.sort(lengths, descending=True, stable=True).indices.tolist()
    room, members = [], []
    for index in order:
        need = int(lengths[index])
        fits = (torch.tensor(room, dtype=torch.long) >= need).nonzero()
        r = int(fits[0]) if len(fits) else len(room)
        if r == len(room):
            room.append(C)
            members.append([])
        room[r] -= need
        members[r].append(index)

    def rows(pieces_of, fill):
        out = []
        for row in members:
            flat = torch.cat([pieces_of(k + 1, sequences[i][:C]) for k, i in enumerate(row)])
            out.append(torch.nn.functional.pad(flat, (0, C - len(flat)), value=fill))
        return torch.stack(out)

    ids = rows(lambda k, s: s, pad_id)
    seg = rows(lambda k, s: torch.full_like(s, k), 0)
    pos = rows(lambda k, s: torch.cumsum(torch.ones_like(s), 0) - 1, 0)
    nxt = torch.cat([ids[:, 1:], ids.new_zeros(len(ids), 1)], 1)
    nxt_seg = torch.cat([seg[:, 1:], seg.new_zeros(len(ids), 1)], 1)
    loss_mask = (seg == nxt_seg) & (seg > 0)
    i = torch.arange(C, device=ids.device)
    causal = i[:, None] >= i[None, :]
    same = seg.unsqueeze(2) == seg.unsqueeze(1)
    real = (seg > 0).unsqueeze(2)
    return {
        "input_ids": ids,
        "position_ids": pos,
        "segment_ids": seg,
        "labels": nxt.masked_fill(~loss_mask, -100),
        "loss_mask": loss_mask,
        "attention": torch.where(real, causal & same, i[:, None] == i[None, :]),
    }

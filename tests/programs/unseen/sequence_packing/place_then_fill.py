# expect: right
import torch


def _first_fit_decreasing(lengths, C):
    """Return, for each row, the indices of the sequences in it."""
    rows, room = [], []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        for r, free in enumerate(room):
            if lengths[i] <= free:
                break
        else:
            r = len(rows)
            rows.append([])
            room.append(C)
        rows[r].append(i)
        room[r] -= lengths[i]
    return rows


def sequence_packing(sequences, C, pad_id=0):
    device = sequences[0].device
    lengths = [min(len(s), C) for s in sequences]
    rows = _first_fit_decreasing(lengths, C)
    R = len(rows)

    input_ids = torch.full((R, C), pad_id, dtype=torch.int64, device=device)
    position_ids = torch.zeros((R, C), dtype=torch.int64, device=device)
    segment_ids = torch.zeros((R, C), dtype=torch.int64, device=device)
    labels = torch.full((R, C), -100, dtype=torch.int64, device=device)
    loss_mask = torch.zeros((R, C), dtype=torch.bool, device=device)
    attention = torch.eye(C, dtype=torch.bool, device=device).repeat(R, 1, 1)

    for r, members in enumerate(rows):
        start = 0
        for number, i in enumerate(members, start=1):
            n = lengths[i]
            stop = start + n
            tokens = sequences[i][:n]
            input_ids[r, start:stop] = tokens
            position_ids[r, start:stop] = torch.arange(n, device=device)
            segment_ids[r, start:stop] = number
            labels[r, start:stop - 1] = tokens[1:]
            loss_mask[r, start:stop - 1] = True
            attention[r, start:stop, start:stop] = torch.ones(n, n, dtype=torch.bool, device=device).tril()
            start = stop

    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "segment_ids": segment_ids,
        "labels": labels,
        "loss_mask": loss_mask,
        "attention": attention,
    }

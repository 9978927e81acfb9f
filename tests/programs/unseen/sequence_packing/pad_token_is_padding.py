# expect: wrong
# mistake: A token of a sequence that equals pad_id is not predicted, as if it were padding.
import torch


def sequence_packing(sequences, C, pad_id=0):
    device = sequences[0].device
    seqs = sorted((s[:C] for s in sequences), key=lambda s: len(s), reverse=True)
    rows = []
    for s in seqs:
        placed = False
        for row in rows:
            if sum(len(t) for t in row) + len(s) <= C:
                row.append(s)
                placed = True
                break
        if not placed:
            rows.append([s])

    R = len(rows)
    input_ids = torch.full((R, C), pad_id, dtype=torch.int64, device=device)
    position_ids = torch.zeros((R, C), dtype=torch.int64, device=device)
    segment_ids = torch.zeros((R, C), dtype=torch.int64, device=device)
    for r, row in enumerate(rows):
        offset = 0
        for number, s in enumerate(row, 1):
            span = slice(offset, offset + len(s))
            input_ids[r, span] = s
            position_ids[r, span] = torch.arange(len(s), device=device)
            segment_ids[r, span] = number
            offset += len(s)

    following = torch.full_like(input_ids, pad_id)
    following[:, :-1] = input_ids[:, 1:]
    next_segment = torch.zeros_like(segment_ids)
    next_segment[:, :-1] = segment_ids[:, 1:]
    loss_mask = (following != pad_id) & (next_segment == segment_ids) & (segment_ids > 0)
    labels = following.masked_fill(~loss_mask, -100)

    tri = torch.ones(C, C, dtype=torch.bool, device=device).tril()
    same = (segment_ids[:, :, None] == segment_ids[:, None, :]) & (segment_ids > 0)[:, :, None]
    attention = (tri & same) | torch.eye(C, dtype=torch.bool, device=device)
    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "segment_ids": segment_ids,
        "labels": labels,
        "loss_mask": loss_mask,
        "attention": attention,
    }

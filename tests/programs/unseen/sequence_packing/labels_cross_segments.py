# expect: wrong
# mistake: The last token of a sequence predicts the first token of the next sequence in the row.
import torch


def sequence_packing(sequences, C, pad_id=0):
    device = sequences[0].device
    cut = sorted([s[:C] for s in sequences], key=lambda s: -s.numel())
    rows = []
    for s in cut:
        for row in rows:
            if sum(x.numel() for x in row) + s.numel() <= C:
                row.append(s)
                break
        else:
            rows.append([s])

    R = len(rows)
    input_ids = torch.full((R, C), pad_id, device=device)
    position_ids = torch.zeros((R, C), dtype=torch.int64, device=device)
    segment_ids = torch.zeros((R, C), dtype=torch.int64, device=device)
    for r, row in enumerate(rows):
        tokens = torch.cat(row)
        input_ids[r, :len(tokens)] = tokens
        position_ids[r, :len(tokens)] = torch.cat([torch.arange(len(s), device=device) for s in row])
        segment_ids[r, :len(tokens)] = torch.cat([torch.full((len(s),), j + 1, device=device) for j, s in enumerate(row)])

    is_token = segment_ids > 0
    labels = torch.full_like(input_ids, -100)
    labels[:, :-1] = torch.where(is_token[:, 1:], input_ids[:, 1:], -100)
    loss_mask = labels != -100

    idx = torch.arange(C, device=device)
    causal = idx.view(1, C, 1) >= idx.view(1, 1, C)
    same = segment_ids.view(R, C, 1) == segment_ids.view(R, 1, C)
    attention = causal & same & is_token.view(R, C, 1)
    attention |= torch.eye(C, dtype=torch.bool, device=device)
    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "segment_ids": segment_ids,
        "labels": labels,
        "loss_mask": loss_mask,
        "attention": attention,
    }

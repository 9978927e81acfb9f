# expect: wrong
# mistake: The positions run on over the row and do not start again at 0 with each sequence.
# mistake: A token also looks at the tokens of earlier sequences in its row.
import torch


def sequence_packing(sequences, C, pad_id=0):
    device = sequences[0].device
    seqs = sorted((s[:C] for s in sequences), key=len, reverse=True)
    rows, lengths = [], []
    for s in seqs:
        for r in range(len(rows)):
            if lengths[r] + len(s) <= C:
                rows[r].append(s)
                lengths[r] += len(s)
                break
        else:
            rows.append([s])
            lengths.append(len(s))

    R = len(rows)
    input_ids = torch.full((R, C), pad_id, dtype=torch.int64, device=device)
    position_ids = torch.zeros(R, C, dtype=torch.int64, device=device)
    segment_ids = torch.zeros(R, C, dtype=torch.int64, device=device)
    labels = torch.full((R, C), -100, dtype=torch.int64, device=device)
    attention = torch.eye(C, dtype=torch.bool, device=device).repeat(R, 1, 1)
    for r, row in enumerate(rows):
        n = lengths[r]
        input_ids[r, :n] = torch.cat(row)
        position_ids[r, :n] = torch.arange(n, device=device)
        attention[r, :n, :n] = torch.ones(n, n, dtype=torch.bool, device=device).tril()
        start = 0
        for k, s in enumerate(row):
            segment_ids[r, start:start + len(s)] = k + 1
            labels[r, start:start + len(s) - 1] = s[1:]
            start += len(s)
    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "segment_ids": segment_ids,
        "labels": labels,
        "loss_mask": labels != -100,
        "attention": attention,
    }

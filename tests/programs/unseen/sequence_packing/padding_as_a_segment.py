# expect: wrong
# mistake: Padding also looks at the earlier padding of its row, not at itself only.
import torch
from torch.nn.utils.rnn import pad_sequence


def _assign(lengths, capacity):
    rows = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i], reverse=True):
        for row in rows:
            if row["free"] >= lengths[i]:
                break
        else:
            row = {"free": capacity, "members": []}
            rows.append(row)
        row["free"] -= lengths[i]
        row["members"].append(i)
    return [row["members"] for row in rows]


def sequence_packing(sequences, C, pad_id=0):
    seqs = [s[:C] for s in sequences]
    device = seqs[0].device
    rows = _assign([len(s) for s in seqs], C)

    def lay_out(piece, fill):
        flat = [torch.cat([piece(n, seqs[i]) for n, i in enumerate(row)]) for row in rows]
        flat.append(torch.zeros(C, dtype=torch.int64, device=device))
        return pad_sequence(flat, batch_first=True, padding_value=fill)[:-1]

    end = torch.tensor([-100], device=device)
    input_ids = lay_out(lambda n, s: s, pad_id)
    position_ids = lay_out(lambda n, s: torch.arange(len(s), device=device), 0)
    segment_ids = lay_out(lambda n, s: torch.full_like(s, n + 1), 0)
    labels = lay_out(lambda n, s: torch.cat([s[1:], end]), -100)

    same = segment_ids[:, :, None] == segment_ids[:, None, :]
    causal = torch.tril(torch.ones(C, C, dtype=torch.bool, device=device))
    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "segment_ids": segment_ids,
        "labels": labels,
        "loss_mask": labels != -100,
        "attention": same & causal,
    }

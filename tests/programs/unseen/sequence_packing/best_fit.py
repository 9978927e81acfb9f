# expect: wrong
# mistake: A sequence goes to the fullest row that has room (best fit) instead of the first.
import torch


def sequence_packing(sequences, C, pad_id=0):
    seqs = [s[:C] for s in sequences]
    order = sorted(range(len(seqs)), key=lambda i: len(seqs[i]), reverse=True)
    rows, used = [], []
    for i in order:
        n = len(seqs[i])
        fitting = [r for r in range(len(rows)) if used[r] + n <= C]
        if fitting:
            r = max(fitting, key=lambda r: used[r])
        else:
            rows.append([])
            used.append(0)
            r = len(rows) - 1
        rows[r].append(seqs[i])
        used[r] += n

    device = sequences[0].device
    R = len(rows)
    out = {
        "input_ids": torch.full((R, C), pad_id, dtype=torch.long, device=device),
        "position_ids": torch.zeros(R, C, dtype=torch.long, device=device),
        "segment_ids": torch.zeros(R, C, dtype=torch.long, device=device),
        "labels": torch.full((R, C), -100, dtype=torch.long, device=device),
    }
    for r, row in enumerate(rows):
        at = 0
        for k, s in enumerate(row):
            end = at + len(s)
            out["input_ids"][r, at:end] = s
            out["position_ids"][r, at:end] = torch.arange(len(s), device=device)
            out["segment_ids"][r, at:end] = k + 1
            out["labels"][r, at:end - 1] = s[1:]
            at = end
    out["loss_mask"] = out["labels"] != -100
    seg = out["segment_ids"]
    same = (seg.unsqueeze(2) == seg.unsqueeze(1)) & (seg.unsqueeze(2) != 0)
    causal = torch.ones(C, C, dtype=torch.bool, device=device).tril()
    out["attention"] = (same & causal) | torch.eye(C, dtype=torch.bool, device=device)
    return out

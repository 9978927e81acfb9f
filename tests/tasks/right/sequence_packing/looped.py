import torch


def sequence_packing(sequences, C, pad_id=0):  # noqa: PLR0912 -- loops only, on purpose
    data = [s.tolist()[:C] for s in sequences]
    remaining = list(range(len(data)))
    rows = []
    while remaining:
        best = remaining[0]
        for k in remaining:
            if len(data[k]) > len(data[best]):
                best = k
        remaining.remove(best)
        placed = False
        for row in rows:
            used = 0
            for k in row:
                used += len(data[k])
            if used + len(data[best]) <= C:
                row.append(best)
                placed = True
                break
        if not placed:
            rows.append([best])
    out = {name: [] for name in ("input_ids", "position_ids", "segment_ids", "labels", "loss_mask", "attention")}
    for row in rows:
        ids, pos, seg, lab, ok = [], [], [], [], []
        for number, k in enumerate(row):
            s = data[k]
            for t in range(len(s)):
                ids.append(s[t])
                pos.append(t)
                seg.append(number + 1)
                last = t == len(s) - 1
                lab.append(-100 if last else s[t + 1])
                ok.append(not last)
        while len(ids) < C:
            ids.append(pad_id)
            pos.append(0)
            seg.append(0)
            lab.append(-100)
            ok.append(False)
        att = [[False] * C for _ in range(C)]
        for i in range(C):
            for j in range(i + 1):
                att[i][j] = i == j or (seg[i] == seg[j] and seg[i] != 0)
        for name, value in zip(out, (ids, pos, seg, lab, ok, att), strict=False):
            out[name].append(value)
    device = sequences[0].device
    return {name: torch.tensor(value, device=device) for name, value in out.items()}

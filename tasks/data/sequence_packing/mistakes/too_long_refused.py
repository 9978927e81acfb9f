import torch


def sequence_packing(sequences, C, pad_id=0):
    if any(len(sequence) > C for sequence in sequences):
        raise ValueError("a sequence is longer than a row")
    rows = []
    for tokens in sorted((sequence[:C] for sequence in sequences), key=lambda sequence: -len(sequence)):
        for row in rows:
            if sum(map(len, row)) + len(tokens) <= C:
                row.append(tokens)
                break
        else:
            rows.append([tokens])

    device = sequences[0].device
    ids, positions, segments, labels = (
        torch.full((len(rows), C), fill, device=device) for fill in (pad_id, 0, 0, -100)
    )
    for r, row in enumerate(rows):
        start = 0
        for number, tokens in enumerate(row, start=1):
            end = start + len(tokens)
            ids[r, start:end] = tokens
            positions[r, start:end] = torch.arange(len(tokens), device=device)
            segments[r, start:end] = number
            labels[r, start : end - 1] = tokens[1:]
            start = end

    same = (segments[:, :, None] == segments[:, None, :]) & (segments[:, :, None] > 0)
    attention = same.tril() | torch.eye(C, dtype=torch.bool, device=device)
    return {
        "input_ids": ids,
        "position_ids": positions,
        "segment_ids": segments,
        "labels": labels,
        "loss_mask": labels != -100,
        "attention": attention,
    }

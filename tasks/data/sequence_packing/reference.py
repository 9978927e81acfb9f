"""A row's outputs follow from the sequences in it, and nothing in one segment depends on another segment."""

import torch

NO_LABEL = -100


def sequence_packing(sequences, C, pad_id=0):
    """Return packed rows with positions, segments, shifted labels and a block-diagonal causal mask.

    Shapes: sequences 1-d each; attention [R, C, C]; everything else [R, C].
    Source: arXiv:2107.02027; first fit decreasing: Johnson 1973.
    """
    rows = []
    # A negative key, because reverse=True looks as if it reversed ties as well; sorted is stable in both cases.
    for tokens in sorted((one[:C] for one in sequences), key=lambda one: -len(one)):
        for row in rows:
            if sum(map(len, row)) + len(tokens) <= C:
                row.append(tokens)
                break
        else:
            rows.append([tokens])

    device = sequences[0].device
    ids, positions, segments, labels = (
        torch.full((len(rows), C), fill, device=device) for fill in (pad_id, 0, 0, NO_LABEL)
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
        "loss_mask": labels != NO_LABEL,
        "attention": attention,
    }

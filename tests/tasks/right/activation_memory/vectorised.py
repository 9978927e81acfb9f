import torch


def activation_memory(s, b, h, a, L, t, p, recompute, flash, sp, cp, V, stage):
    rows = s // cp * b
    #                     bytes, numbers, always split
    table = torch.tensor(
        [
            [2, 2 * rows * h, 0],
            [2, rows * h, 0],
            [2, 3 * rows * h, 1],
            [2, rows * h, 1],
            [1, 2 * rows * h, 0],
            [2, rows * h, 0],
            [2, 8 * rows * h, 1],
            [2, 0 if flash else 2 * a * rows * s, 1],
            [1, 0 if flash else a * rows * s, 1],
        ],
        dtype=torch.float64,
    )
    divisor = torch.where(table[:, 2] == 1, t, t if sp else 1)
    sizes = table[:, 0] * table[:, 1] / divisor
    is_score = torch.arange(9) >= 7
    if recompute == "none":
        kept, live = sizes.sum(), 0.0
    elif recompute == "selective":
        kept, live = sizes[~is_score].sum(), sizes[is_score].sum()
    else:
        kept, live = sizes[1], sizes.sum()
    total = kept * (L // p) * (p - stage) + live
    if stage + 1 == p:
        total = total + rows * V * (2 + 4) / t
    return float(total)

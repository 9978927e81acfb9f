from fractions import Fraction

import torch


def maxrl_advantage(success):
    table = []
    for row in success.tolist():
        mean = Fraction(sum(row), len(row))
        if mean == 0:
            table.append([0.0] * len(row))
        else:
            table.append([float((int(is_right) - mean) / mean) for is_right in row])
    return torch.tensor(table, dtype=torch.float32, device=success.device)

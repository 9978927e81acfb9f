# expect: wrong
# mistake: A prompt without a right answer gets NaN from 0 / 0 in all its advantages, if another prompt of the batch is solved, instead of 0.
import torch


def maxrl_advantage(success) -> torch.Tensor:
    if not success.any():
        return torch.zeros(success.shape, dtype=torch.float32, device=success.device)
    rows = []
    for row in success.float():
        m = row.mean()
        rows.append((row - m) / m)
    return torch.stack(rows)

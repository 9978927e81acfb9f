import torch


def int8_quant(x, w):
    """Work on Python numbers; Python's round also sends ties to the even integer."""
    activations = [value for row in x.tolist() for value in row]
    low, high = min([0.0, *activations]), max([0.0, *activations])
    step = (high - low) / 255
    if step == 0:
        step = 1.0
    zero = round(-128 - low / step)
    x_q = [[max(-128, min(127, round(value / step) + zero)) for value in row] for row in x.tolist()]
    w_q, scales = [], []
    for row in w.tolist():
        largest = max(abs(value) for value in row)
        scales.append(largest / 127 if largest else 1.0)
        w_q.append([round(value / scales[-1]) for value in row])
    acc = [[sum(a * b for a, b in zip(left, right, strict=True)) for right in w_q] for left in x_q]
    out = [
        [step * scale * (total - zero * sum(right)) for total, right, scale in zip(row, w_q, scales, strict=True)]
        for row in acc
    ]
    return {
        "x_q": torch.tensor(x_q, dtype=torch.int8),
        "x_scale": step,
        "x_zero": zero,
        "w_q": torch.tensor(w_q, dtype=torch.int8),
        "w_scale": torch.tensor(scales, dtype=torch.float32),
        "acc": torch.tensor(acc, dtype=torch.int32),
        "out": torch.tensor(out, dtype=torch.float32),
    }

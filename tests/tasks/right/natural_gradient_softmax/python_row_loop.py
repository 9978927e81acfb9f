import math

import torch


def one_row(logits, grad):
    n = len(logits)
    if n == 1:
        return [0.0], 0.0
    top = max(logits)
    e = [math.exp(v - top) for v in logits]
    z = math.fsum(e)
    ratio = [g * z / w for g, w in zip(grad, e)]
    shift = math.fsum(ratio) / n
    rate = math.fsum(g * q for g, q in zip(grad, ratio))
    return [q - shift for q in ratio], rate


def natural_gradient_softmax(logits, grad, legal):
    width = logits.shape[1]
    nats, rates = [], []
    for l_row, g_row, m_row in zip(logits.tolist(), grad.tolist(), legal.tolist()):
        idx = [j for j, ok in enumerate(m_row) if ok]
        values, rate = one_row([l_row[j] for j in idx], [g_row[j] for j in idx])
        full = [0.0] * width
        for j, v in zip(idx, values):
            full[j] = v
        nats.append(full)
        rates.append(rate)
    kind = {"dtype": logits.dtype, "device": logits.device}
    return torch.tensor(nats, **kind).reshape(logits.shape), torch.tensor(rates, **kind)

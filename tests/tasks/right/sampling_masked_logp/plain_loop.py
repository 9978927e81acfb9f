import math

import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    if keep_ids is not None:
        kept = keep_ids.tolist()
    elif top_p == 1:
        kept = list(range(len(logits)))
    else:
        values = [value / temperature for value in logits.tolist()]
        top = max(values)
        weights = [math.exp(value - top) for value in values]
        total = math.fsum(weights)
        kept, mass = [], 0.0
        # Python's sort is stable, so the lower id comes first.
        for i in sorted(range(len(values)), key=lambda i: -values[i]):
            kept.append(i)
            mass += weights[i] / total
            if mass >= top_p:
                break
    if token not in kept:
        return torch.tensor(-math.inf, dtype=logits.dtype)
    chosen = torch.stack([logits[i] for i in kept]) / temperature
    return chosen.log_softmax(dim=0)[kept.index(token)]

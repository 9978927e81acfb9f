import math


def cispo_loss(logp, old_logp, adv, mask, eps_high=0.2, eps_low=None):
    total = (logp[mask] * 0).sum()
    count = 0
    for row in range(logp.shape[0]):
        for step in range(logp.shape[1]):
            if mask[row, step].item():
                weight = math.exp(logp[row, step].item() - old_logp[row, step].item())
                weight = min(weight, 1 + eps_high)
                if eps_low is not None and weight < 1 - eps_low:
                    weight = 1 - eps_low
                total = total - weight * adv[row, step].item() * logp[row, step]
                count += 1
    return total / count if count else total

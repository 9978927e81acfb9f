import torch


def cost(margin):
    """Return log(1 + exp(-margin)) without overflow."""
    if margin >= 0:
        return torch.log1p(torch.exp(-margin))
    return -margin + torch.log1p(torch.exp(margin))


def dpo_loss(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    total, winners, losers = 0.0, [], []
    for a, b, c, d in zip(pi_w, pi_l, ref_w, ref_l, strict=True):
        winner = beta * (a - c.detach())
        loser = beta * (b - d.detach())
        margin = winner - loser
        total = total + (1 - label_smoothing) * cost(margin) + label_smoothing * cost(-margin)
        winners.append(winner.detach())
        losers.append(loser.detach())
    return total / len(winners), torch.stack(winners), torch.stack(losers)

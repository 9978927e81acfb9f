import torch


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0):
    losses = []
    for winner, loser in zip(avg_logp_w, avg_logp_l, strict=True):
        lead = beta * winner - beta * loser - gamma
        losses.append(torch.logaddexp(torch.zeros_like(lead), -lead))
    return sum(losses) / len(losses)

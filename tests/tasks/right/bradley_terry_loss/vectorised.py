import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    scores = torch.stack([r_chosen, r_rejected], dim=1).float()
    handicap = torch.zeros_like(scores)
    handicap[:, 0] = margin
    loss = (torch.logsumexp(scores - handicap, dim=1) - (scores - handicap)[:, 0]).mean()
    return loss, scores.argmax(dim=1).eq(0).logical_and(scores[:, 0] != scores[:, 1]).float().mean()

import torch
from torch.nn import functional


def dpo_loss(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    winner = (pi_w - ref_w.detach()) * beta
    loser = (pi_l - ref_l.detach()) * beta
    label = torch.full_like(winner, 1 - label_smoothing)
    loss = functional.binary_cross_entropy_with_logits(winner - loser, label)
    return loss, winner.detach(), loser.detach()

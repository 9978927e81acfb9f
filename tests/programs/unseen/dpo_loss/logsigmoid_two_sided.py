# expect: right
import torch
import torch.nn.functional as F


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rewards_w = beta * (pi_w - ref_w.detach())
    rewards_l = beta * (pi_l - ref_l.detach())
    margin = rewards_w - rewards_l
    losses = -(1 - label_smoothing) * F.logsigmoid(margin) - label_smoothing * F.logsigmoid(-margin)
    return losses.mean(), rewards_w.detach(), rewards_l.detach()

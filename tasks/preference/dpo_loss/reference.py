"""The loss sees only the margin between the two implied rewards, and its logarithm is never taken of a rounded zero."""

import torch.nn.functional as F


def dpo_loss(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    """Return the DPO loss to minimise and the implied rewards of both answers, in units of beta times nats.

    Shapes: pi_w, pi_l, ref_w, ref_l and both rewards [B]; the loss is 0-dim.
    Source: arXiv:2305.18290, eq. 7; label smoothing: E. Mitchell, "A note on DPO with noisy preferences" (2023).
    """
    rewards_w = beta * (pi_w - ref_w.detach())
    rewards_l = beta * (pi_l - ref_l.detach())
    margin = rewards_w - rewards_l
    # logsigmoid, not log of sigmoid: the sigmoid of -200 is 0 in float32.
    right, turned = F.logsigmoid(margin), F.logsigmoid(-margin)
    loss = -((1 - label_smoothing) * right + label_smoothing * turned).mean()
    return loss, rewards_w.detach(), rewards_l.detach()

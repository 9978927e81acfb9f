# expect: wrong
# mistake: In the loss the margin of the reference is added to that of the policy instead of subtracted.
import torch
import torch.nn.functional as F


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ref_w = ref_w.detach()
    ref_l = ref_l.detach()
    rewards_w = (beta * (pi_w - ref_w)).detach()
    rewards_l = (beta * (pi_l - ref_l)).detach()

    policy_margin = pi_w - pi_l
    reference_margin = ref_w - ref_l
    h = beta * (policy_margin + reference_margin)
    loss = (1 - label_smoothing) * F.softplus(-h) + label_smoothing * F.softplus(h)
    return loss.mean(), rewards_w, rewards_l

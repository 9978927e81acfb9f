# expect: wrong
# mistake: The loss is the sum over the pairs, not the mean.
# mistake: The returned rewards still carry a gradient.
import torch
import torch.nn.functional as F


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ref_w, ref_l = ref_w.detach(), ref_l.detach()
    rewards_w = beta * (pi_w - ref_w)
    rewards_l = beta * (pi_l - ref_l)
    logits = rewards_w - rewards_l
    target = torch.ones_like(logits) * (1 - label_smoothing)
    loss = F.binary_cross_entropy_with_logits(logits, target, reduction="sum")
    return loss, rewards_w, rewards_l

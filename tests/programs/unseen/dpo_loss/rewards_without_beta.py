# expect: wrong
# mistake: The rewards that are returned are the log-ratios without the factor beta.
import torch
import torch.nn.functional as F


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ratio_w = pi_w - ref_w.detach()
    ratio_l = pi_l - ref_l.detach()
    logits = beta * (ratio_w - ratio_l)
    target = torch.full_like(logits, 1.0 - label_smoothing)
    loss = F.binary_cross_entropy_with_logits(logits, target)
    return loss, ratio_w.detach(), ratio_l.detach()

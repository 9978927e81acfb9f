# expect: wrong
# mistake: Label smoothing is that of robust DPO: the turned label is subtracted and the result divided by 1 - 2 * label_smoothing.
import torch
import torch.nn.functional as F


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        rewards_w = beta * (pi_w - ref_w)
        rewards_l = beta * (pi_l - ref_l)
    logits = (pi_w - pi_l) - (ref_w - ref_l).detach()
    losses = (
        -F.logsigmoid(beta * logits) * (1 - label_smoothing)
        + F.logsigmoid(-beta * logits) * label_smoothing
    ) / (1 - 2 * label_smoothing)
    return losses.mean(), rewards_w, rewards_l

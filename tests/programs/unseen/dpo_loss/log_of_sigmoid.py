# expect: wrong
# mistake: The logarithm is taken of a computed sigmoid, which is 0 for a wide margin, so that loss and gradient are not finite.
import torch


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    chosen = beta * (pi_w - ref_w.detach())
    rejected = beta * (pi_l - ref_l.detach())
    p_win = torch.sigmoid(chosen - rejected)
    p_lose = torch.sigmoid(rejected - chosen)
    loss = -torch.log(p_win)
    if label_smoothing > 0:
        loss = (1 - label_smoothing) * loss - label_smoothing * torch.log(p_lose)
    return loss.mean(), chosen.detach(), rejected.detach()

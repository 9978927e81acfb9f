# expect: wrong
# mistake: The loss is the squared distance of the batch's mean margin from the target instead of the mean of the squared distances, and it is multiplied by 1/2.
import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    policy_gap = pi_w - ref_w.detach()
    rejected_gap = pi_l - ref_l.detach()
    margin = (policy_gap - rejected_gap).mean()
    return 0.5 * (margin - 0.5 / beta).square()

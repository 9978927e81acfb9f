# expect: wrong
# mistake: The margin is multiplied by beta as in DPO and regressed to 1/2, which scales the loss by beta squared.
import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    ref_w = ref_w.detach()
    ref_l = ref_l.detach()
    reward_w = beta * (pi_w - ref_w)
    reward_l = beta * (pi_l - ref_l)
    return torch.mean((reward_w - reward_l - 0.5) ** 2)

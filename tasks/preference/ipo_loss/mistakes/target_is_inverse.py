import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    ref_w, ref_l = ref_w.detach(), ref_l.detach()
    lift_w = pi_w - ref_w
    lift_l = pi_l - ref_l
    margin = lift_w - lift_l
    target = 1 / beta
    loss = (margin - target) ** 2
    return torch.mean(loss)

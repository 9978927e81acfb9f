import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    ref_w, ref_l = ref_w.detach(), ref_l.detach()
    lift_w = pi_w - ref_w
    lift_l = pi_l - ref_l
    margin = pi_w - pi_l
    target = 0.5 / beta
    loss = (margin - target) ** 2
    return torch.mean(loss)

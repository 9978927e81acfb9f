# expect: right
import torch


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta):
    ratio_w = pi_w - ref_w.detach()
    ratio_l = pi_l - ref_l.detach()
    return (ratio_w - ratio_l - 1 / (2 * beta)).square().mean()

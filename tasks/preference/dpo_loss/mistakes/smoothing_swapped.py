import torch.nn.functional as F


def dpo_loss(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    ref_w, ref_l = ref_w.detach(), ref_l.detach()
    r_w = beta * (pi_w - ref_w)
    r_l = beta * (pi_l - ref_l)
    margin = r_w - r_l
    loss = -label_smoothing * F.logsigmoid(margin) - (1 - label_smoothing) * F.logsigmoid(-margin)
    return loss.mean(), r_w.detach(), r_l.detach()

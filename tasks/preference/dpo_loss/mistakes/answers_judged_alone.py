import torch.nn.functional as F


def dpo_loss(pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0):
    r_w = beta * (pi_w - ref_w.detach())
    r_l = beta * (pi_l - ref_l.detach())
    kept = F.logsigmoid(r_w) + F.logsigmoid(-r_l)
    turned = F.logsigmoid(-r_w) + F.logsigmoid(r_l)
    loss = -((1 - label_smoothing) * kept + label_smoothing * turned)
    return loss.mean(), r_w.detach(), r_l.detach()

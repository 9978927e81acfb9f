# expect: wrong
# mistake: the rejected score is detached, so that it gets no gradient
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    baseline = r_rejected.detach().float()
    advantage = r_chosen.float() - baseline
    loss = F.softplus(-(advantage - margin)).mean()
    acc = (advantage.detach() > 0).float().mean()
    return loss, acc

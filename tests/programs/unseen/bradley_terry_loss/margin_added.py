# expect: wrong
# mistake: The margin is added to the score difference instead of subtracted from it.
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    chosen = r_chosen.to(torch.float32)
    rejected = r_rejected.to(torch.float32)
    # the rejected answer must stay a margin below the chosen one
    shortfall = (rejected - margin) - chosen
    loss = F.softplus(shortfall).mean()
    acc = (chosen.detach() > rejected.detach()).to(torch.float32).mean()
    return loss, acc

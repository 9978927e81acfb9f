# expect: wrong
# mistake: The accuracy counts the pairs whose score difference exceeds the margin, instead of the pairs with a positive difference.
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    logits = r_chosen.float() - r_rejected.float() - margin
    loss = F.binary_cross_entropy_with_logits(logits, torch.ones_like(logits))
    acc = (logits.detach() > 0).float().mean()
    return loss, acc

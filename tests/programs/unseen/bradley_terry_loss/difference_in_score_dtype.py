# expect: wrong
# mistake: the scores are subtracted in their own dtype, bfloat16 included, and turned into float32 afterwards
import torch
from torch.nn.functional import binary_cross_entropy_with_logits


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    logits = (r_chosen - r_rejected).float() - margin
    loss = binary_cross_entropy_with_logits(logits, torch.ones_like(logits))
    acc = (r_chosen > r_rejected).float().mean()
    return loss, acc

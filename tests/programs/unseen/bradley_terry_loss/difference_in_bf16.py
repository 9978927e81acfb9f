# expect: wrong
# mistake: For bfloat16 scores the difference is computed and rounded in bfloat16 and converted to float32 afterwards.
import torch
from torch.nn.functional import logsigmoid


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    diff = (r_chosen - r_rejected).float()
    per_pair = -logsigmoid(diff - margin)
    acc = diff.detach().gt(0).float().mean()
    return per_pair.mean(), acc

# expect: right
import torch
import torch.nn.functional as F


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    """Return (loss, acc), two 0-dim float32 tensors."""
    lead = r_chosen.float() - r_rejected.float()
    loss = -F.logsigmoid(lead - margin).mean()
    with torch.no_grad():
        acc = (lead > 0).float().mean()
    return loss, acc

# expect: wrong
# mistake: the accuracy counts the pairs that lead by more than the margin
import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    logits = r_chosen.float() - r_rejected.float() - margin
    loss = torch.logaddexp(torch.zeros_like(logits), -logits).mean()
    with torch.no_grad():
        acc = logits.gt(0).float().mean()
    return loss, acc

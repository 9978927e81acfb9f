# expect: wrong
# mistake: it takes the logarithm of sigmoid plus 1e-8, which is far off with no gradient where a pair is far apart
import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0):
    chosen = r_chosen.float()
    rejected = r_rejected.float()
    p_win = torch.sigmoid(chosen - rejected - margin)
    loss = -torch.log(p_win + 1e-8).mean()
    acc = (chosen > rejected).float().mean()
    return loss, acc

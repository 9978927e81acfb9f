import torch
import torch.nn.functional as F


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0):
    reward_w = beta * avg_logp_w.float()
    reward_l = beta * avg_logp_l.float()
    logits = reward_w - reward_l - gamma
    losses = -F.logsigmoid(logits)
    return losses.mean()

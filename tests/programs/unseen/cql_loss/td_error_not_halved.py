# expect: wrong
# mistake: The squared TD error enters the loss in full instead of half of it.
import torch
import torch.nn.functional as F


def cql_loss(q, a, target, alpha):
    q_taken = torch.take_along_dim(q, a.view(-1, 1), dim=1).view(-1)
    td_loss = F.mse_loss(q_taken, target.detach())
    penalty = (q.logsumexp(1) - q_taken).mean()
    return td_loss + alpha * penalty, penalty.detach()

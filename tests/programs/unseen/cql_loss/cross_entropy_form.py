# expect: right
import torch
import torch.nn.functional as F


def cql_loss(q, a, target, alpha):
    # logsumexp(q) - q[a] is the cross entropy of softmax(q) against the data action
    chosen = q.gather(1, a.unsqueeze(1)).squeeze(1)
    gap = F.cross_entropy(q, a, reduction="mean")
    td = 0.5 * (chosen - target.detach()).square().mean()
    return td + alpha * gap, gap.detach()

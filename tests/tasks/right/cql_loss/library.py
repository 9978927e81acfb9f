import torch
from torch.nn import functional as F


def cql_loss(q, a, target, alpha):
    """The gap of a state is the cross-entropy of its values with the action in the data set."""
    gap = F.cross_entropy(q, a)
    rows = torch.arange(len(q), device=q.device)
    return 0.5 * F.mse_loss(q[rows, a], target.detach()) + alpha * gap, gap.detach()

import torch
from torch.nn import functional as F


def maxrl_advantage(success):
    """Share one unit among the right answers; an advantage is G times an answer's share, minus one."""
    share = F.normalize(success.double(), p=1.0, dim=1)
    adv = share * success.shape[1] - share.sum(dim=1, keepdim=True)
    return adv.float()

# expect: wrong
# mistake: Epsilon-greedy explores when u is at most eps (so also for u = eps = 0), and an arm without pulls gets the finite index of an arm with one lost pull instead of inf.
import torch


def bandit_indices(wins, pulls, eps, u, v):
    b, k = wins.shape
    counts = pulls.clamp(min=1).double()
    rate = wins.double() / counts
    n = pulls.sum(1).clamp(min=1).double()
    index = rate + torch.sqrt(2 * n.log()[:, None] / counts)

    order = torch.arange(k, 0, -1)
    greedy = ((rate == rate.amax(1, keepdim=True)) * order).argmax(1)
    edges = torch.arange(1, k).double() / k
    uniform = (v.double()[:, None] >= edges).sum(1)
    explore = u.double() <= eps
    choice = torch.where(explore, uniform, greedy)

    posterior = torch.empty(b, k, 2, dtype=torch.float32)
    posterior[..., 0] = wins + 1
    posterior[..., 1] = pulls - wins + 1
    return index.float(), choice, posterior

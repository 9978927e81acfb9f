# expect: wrong
# mistake: Only the values of a finished transition are set to its reward, while its row of next_p is still used, so that NaN or other contents there reach the target.
import torch


def c51_project(next_p, r, done, support, gamma) -> torch.Tensor:
    p = next_p.detach()
    atoms = support.shape[0]
    low, high = support[0], support[-1]
    width = (high - low) / (atoms - 1)

    values = torch.where(done[:, None], r[:, None], r[:, None] + gamma * support)
    values = values.clamp(low, high).detach()
    position = ((values - low) / width).clamp(0, atoms - 1)
    below = position.floor()
    share = position - below
    below = below.long()
    above = (below + 1).clamp(max=atoms - 1)

    target = torch.zeros_like(p)
    target = target.scatter_add(1, below, p * (1 - share))
    return target.scatter_add(1, above, p * share)

# expect: wrong
# mistake: Probability of values outside the support is dropped instead of given to the first or last atom, and the rows of finished transitions are overwritten in the input next_p.
import torch


@torch.no_grad()
def c51_project(next_p, r, done, support, gamma):
    num_atoms = len(support)
    start = support[0]
    delta = (support[-1] - support[0]) / (num_atoms - 1)
    p = next_p.detach()
    p[done] = 1.0 / num_atoms
    z = torch.where(done[:, None], r[:, None], r[:, None] + gamma * support[None, :])
    b = (z - start) / delta
    columns = []
    for j in range(num_atoms):
        weight = (1 - (b - j).abs()).clamp(min=0)
        columns.append((p * weight).sum(dim=1))
    return torch.stack(columns, dim=1)

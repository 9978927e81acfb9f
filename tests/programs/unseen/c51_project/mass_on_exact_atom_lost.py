# expect: wrong
# mistake: A value that equals an atom loses its probability, because both weights (upper minus position, position minus lower) are 0 if floor and ceil are the same.
import torch


def c51_project(next_p, r, done, support, gamma) -> torch.Tensor:
    with torch.no_grad():
        batch, atoms = next_p.shape
        v_min, v_max = support[0], support[-1]
        dz = (v_max - v_min) / (atoms - 1)

        first = torch.zeros_like(next_p)
        first[:, 0] = 1
        p = torch.where(done[:, None], first, next_p)
        not_done = (~done).to(support.dtype)[:, None]
        tz = (r[:, None] + gamma * not_done * support[None]).clamp(v_min, v_max)
        b = ((tz - v_min) / dz).clamp(0, atoms - 1)
        lower = b.floor()
        upper = b.ceil()

        target = torch.zeros_like(p)
        target.scatter_add_(1, lower.long(), p * (upper - b))
        target.scatter_add_(1, upper.long(), p * (b - lower))
        return target

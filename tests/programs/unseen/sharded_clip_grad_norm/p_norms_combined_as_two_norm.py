# expect: wrong
# mistake: The p-norms of the parts are combined as the root of the sum of their squares for every finite norm_type, instead of by the p-norm.
import math

import torch


def unique_ranks(dims, mesh):
    names = list(mesh)
    ranks = []
    world = math.prod(mesh.values())
    for r in range(world):
        rest, coord = r, {}
        for d in reversed(names):
            coord[d] = rest % mesh[d]
            rest //= mesh[d]
        if all(coord[d] == 0 for d in names if d not in dims):
            ranks.append(r)
    return ranks


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    local = [torch.zeros((), dtype=torch.float32)]
    for name, dims in placements.items():
        for r in unique_ranks(dims, mesh):
            g = grads[r][name]
            if g is not None and g.numel() > 0:
                local.append(torch.norm(g.detach().float(), p=norm_type))
    local = torch.stack(local)

    if norm_type == math.inf:
        total_norm = local.max()
    else:
        total_norm = local.square().sum().sqrt()

    scale = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
    clipped = [
        {n: (g.float() * scale).to(g.dtype) if g is not None else None for n, g in d.items()}
        for d in grads
    ]
    return total_norm, clipped

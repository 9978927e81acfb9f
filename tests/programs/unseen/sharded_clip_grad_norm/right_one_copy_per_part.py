# expect: right
import itertools
import math

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    coords = [dict(zip(mesh, c)) for c in itertools.product(*(range(n) for n in mesh.values()))]

    total = torch.zeros((), dtype=torch.float32)
    for name, dims in placements.items():
        seen = set()
        for rank, coord in enumerate(coords):
            part = tuple(coord[d] for d in sorted(dims))
            g = grads[rank][name]
            if part in seen or g is None or g.numel() == 0:
                continue
            seen.add(part)
            a = g.detach().float().abs()
            if math.isinf(norm_type):
                total = torch.maximum(total, a.max().to(total.device))
            else:
                total = total + a.pow(norm_type).sum().to(total.device)
    total_norm = total if math.isinf(norm_type) else total.pow(1.0 / norm_type)

    factor = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)
    clipped = [
        {
            name: None if g is None else (g.detach().float() * factor.to(g.device)).to(g.dtype)
            for name, g in per_rank.items()
        }
        for per_rank in grads
    ]
    return total_norm, clipped

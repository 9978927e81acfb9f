import math

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    """Counts everything, and divides the powers by the number of copies."""
    world = math.prod(mesh.values())
    copies = {name: world // math.prod(mesh[d] for d in dims) for name, dims in placements.items()}
    is_max = norm_type == math.inf
    total = torch.zeros((), dtype=torch.float64)
    for rank in grads:
        for name, g in rank.items():
            if g is None or not g.numel():
                continue
            a = g.double().abs()
            if is_max:
                total = max(total, a.max())
            else:
                total = total + a.pow(norm_type).sum() / copies[name]
    norm = (total if is_max else total.pow(1.0 / norm_type)).float()
    coef = min(1.0, max_norm / (norm.item() + 1e-6))
    out = []
    for rank in grads:
        new = {}
        for name, g in rank.items():
            new[name] = g * coef if g is not None else None
        out.append(new)
    return norm, out

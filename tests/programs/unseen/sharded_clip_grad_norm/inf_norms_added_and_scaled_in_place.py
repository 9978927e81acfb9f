# expect: wrong
# mistake: For norm_type inf, the largest absolute values of the parts are added instead of taking their maximum, and the input gradients are scaled in place.
import itertools
import math

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    all_coords = itertools.product(*(range(size) for size in mesh.values()))
    coords = [dict(zip(mesh.keys(), c)) for c in all_coords]

    total = torch.zeros((), dtype=torch.float32)
    for coord, rank_grads in zip(coords, grads):
        for name, grad in rank_grads.items():
            owner = all(coord[d] == 0 for d in mesh if d not in placements[name])
            if not owner or grad is None or grad.numel() == 0:
                continue
            values = grad.detach().float().abs()
            if math.isinf(norm_type):
                total += values.max()
            else:
                total += values.pow(norm_type).sum()

    total_norm = total if math.isinf(norm_type) else total ** (1.0 / norm_type)
    factor = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)

    clipped = []
    for rank_grads in grads:
        out = {}
        for name, grad in rank_grads.items():
            if grad is not None:
                grad = grad.detach()
                grad.copy_(grad.float() * factor)
            out[name] = grad
        clipped.append(out)
    return total_norm, clipped

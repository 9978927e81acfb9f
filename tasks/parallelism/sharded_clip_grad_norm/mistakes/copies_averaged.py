import math

import torch


def coordinates_of(rank, mesh):
    place = {}
    for dim in reversed(list(mesh)):
        place[dim] = rank % mesh[dim]
        rank //= mesh[dim]
    return place


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    total = torch.zeros(())
    for rank, held in enumerate(grads):
        place = coordinates_of(rank, mesh)
        for name, grad in held.items():
            if grad is None or grad.numel() == 0:
                continue
            size = grad.float().abs()
            if math.isinf(norm_type):
                total = torch.maximum(total, size.max())
            else:
                total = total + (size**norm_type).sum()
    norm = total if math.isinf(norm_type) else (total / len(grads)) ** (1 / norm_type)
    factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    clipped = []
    for held in grads:
        clipped.append({name: None if grad is None else (grad * factor).to(grad.dtype) for name, grad in held.items()})
    return norm, clipped

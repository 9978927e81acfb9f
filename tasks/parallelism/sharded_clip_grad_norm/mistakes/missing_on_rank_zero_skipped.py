import itertools
import math

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    dims = list(mesh)
    coords = list(itertools.product(*[range(mesh[d]) for d in dims]))

    powers, maxima = [], []
    for name in grads[0]:
        if grads[0][name] is None:
            continue
        shards = {}
        for rank, coord in enumerate(coords):
            key = tuple(c for d, c in zip(dims, coord) if d in placements[name])
            shards.setdefault(key, grads[rank][name])
        for shard in shards.values():
            if shard is None or shard.numel() == 0:
                continue
            a = shard.detach().float().abs()
            maxima.append(a.max())
            if not math.isinf(norm_type):
                powers.append(a.pow(norm_type).sum())

    if not maxima:
        total_norm = torch.zeros((), dtype=torch.float32)
    elif math.isinf(norm_type):
        total_norm = torch.stack(maxima).max()
    else:
        total_norm = torch.stack(powers).sum().pow(1 / norm_type)

    factor = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
    clipped = [
        {name: None if g is None else g.float().mul(factor).to(g.dtype) for name, g in rank_grads.items()}
        for rank_grads in grads
    ]
    return total_norm, clipped

# expect: wrong
# mistake: A parameter that is sharded across at least one dimension is summed over all ranks, so its copies across the other dimensions are counted several times; only fully replicated parameters are counted once.
import math

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    norms = []
    for rank, rank_grads in enumerate(grads):
        for name, g in rank_grads.items():
            if g is None or g.numel() == 0:
                continue
            if not placements[name] and rank != 0:
                continue
            norms.append(torch.linalg.vector_norm(g.float(), norm_type))

    if norms:
        total_norm = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    else:
        total_norm = torch.tensor(0.0)

    coef = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)

    clipped = []
    for rank_grads in grads:
        out = {}
        for name, g in rank_grads.items():
            out[name] = None if g is None else (g.float() * coef).to(g.dtype)
        clipped.append(out)
    return total_norm, clipped

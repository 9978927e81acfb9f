# expect: wrong
# mistake: The norm of each part is computed and rounded in the dtype of the gradient, bfloat16 for bfloat16 gradients, and only then converted to float32.
import itertools
import math

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    coords = list(itertools.product(*(range(n) for n in mesh.values())))
    index = {d: i for i, d in enumerate(mesh)}

    part_norms = []
    for name, sharded in placements.items():
        replicated = [index[d] for d in mesh if d not in sharded]
        for rank, c in enumerate(coords):
            if any(c[i] for i in replicated):
                continue
            g = grads[rank][name]
            if g is None or not g.numel():
                continue
            part_norms.append(g.detach().norm(norm_type).float())

    if part_norms:
        total_norm = torch.stack(part_norms).norm(norm_type)
    else:
        total_norm = torch.zeros([])

    factor = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)

    def scale(g):
        return None if g is None else (g.float() * factor).to(g.dtype)

    return total_norm, [{n: scale(g) for n, g in d.items()} for d in grads]

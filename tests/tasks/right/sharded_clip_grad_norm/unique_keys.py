from itertools import product

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    unique = {}
    for held, index in zip(grads, product(*[range(n) for n in mesh.values()])):
        for name, grad in held.items():
            where = tuple(i for dim, i in zip(mesh, index) if dim in placements[name])
            if grad is not None and grad.nelement() > 0:
                unique.setdefault((name, where), grad)
    norms = [torch.linalg.vector_norm(g.to(torch.float32), ord=norm_type) for g in unique.values()]
    total = torch.linalg.vector_norm(torch.stack(norms), ord=norm_type) if norms else torch.tensor(0.0)
    scale = torch.clamp(torch.tensor(max_norm) / (total + 1e-6), max=1.0)
    clipped = [{n: g if g is None else g.mul(scale).to(g.dtype) for n, g in held.items()} for held in grads]
    return total, clipped

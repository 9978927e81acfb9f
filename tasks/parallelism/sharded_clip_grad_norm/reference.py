"""Each element counts once: a rank contributes a part only if it holds the first of its copies."""

import itertools

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    """Return the norm of the whole gradient, and every rank's gradients after clipping.

    Shapes: grads and the clipped gradients have one dict per rank; the norm is 0-dim.
    Source: arXiv:1211.5063, section 3.2 (clipping by the norm); Megatron's `get_grad_norm_fp32` leaves out copies, too.
    """
    # A zero changes no norm, and without any element the maximum would not exist.
    parts = [torch.zeros(1)]
    coordinates = itertools.product(*map(range, mesh.values()))
    for coordinate, held in zip(coordinates, grads, strict=True):
        place = dict(zip(mesh, coordinate, strict=True))
        for name, grad in held.items():
            is_first_copy = all(dim in placements[name] or place[dim] == 0 for dim in mesh)
            if grad is not None and is_first_copy:
                parts.append(grad.flatten().to(parts[0].dtype))
    total_norm = torch.linalg.vector_norm(torch.cat(parts), norm_type)
    factor = (max_norm / (total_norm + 1e-6)).clamp(max=1)
    return total_norm, [{name: _scaled(grad, factor) for name, grad in held.items()} for held in grads]


def _scaled(grad, factor):
    return None if grad is None else (grad * factor).to(grad.dtype)

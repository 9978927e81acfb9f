import torch


def norm_of(tensors, p):
    flat = [torch.zeros(1), *(grad.float().flatten() for grad in tensors if grad is not None)]
    return torch.linalg.vector_norm(torch.cat(flat), p)


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    norm = norm_of(grads[0].values(), norm_type)
    factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    clipped = []
    for held in grads:
        clipped.append({name: None if grad is None else (grad * factor).to(grad.dtype) for name, grad in held.items()})
    return norm, clipped

import torch


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    """Each rank computes its own contribution, and the contributions are all-reduced."""
    dims = list(mesh)
    strides = {}
    stride = 1
    for dim in dims[::-1]:
        strides[dim] = stride
        stride *= mesh[dim]

    def contribution(rank):
        values = []
        for name, grad in grads[rank].items():
            replicated = set(dims) - set(placements[name])
            owns = sum((rank // strides[dim]) % mesh[dim] for dim in replicated) == 0
            if owns and grad is not None:
                values.extend(grad.float().reshape(-1).tolist())
        if norm_type == float("inf"):
            return max((abs(v) for v in values), default=0.0)
        return sum(abs(v) ** norm_type for v in values)

    contributions = [contribution(rank) for rank in range(len(grads))]
    if norm_type == float("inf"):
        norm = max(contributions)
    else:
        norm = sum(contributions) ** (1 / norm_type)
    factor = max_norm / (norm + 1e-6)
    clipped = []
    for held in grads:
        copy = {}
        for name, grad in held.items():
            copy[name] = grad
            if grad is not None:
                copy[name] = (grad.float() * factor).to(grad.dtype) if factor < 1 else grad.clone()
        clipped.append(copy)
    return torch.tensor(norm, dtype=torch.float32), clipped

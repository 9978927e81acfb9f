# expect: wrong
# mistake: The coordinates of a rank are computed as if the first mesh dimension changed fastest, instead of the last, so that wrong ranks are taken for copies of each other.
import torch


def _coord(rank, mesh):
    out = {}
    for dim, size in mesh.items():
        out[dim] = rank % size
        rank //= size
    return out


def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    is_inf = norm_type == float("inf")
    acc = torch.tensor(0.0, dtype=torch.float32)

    for rank in range(len(grads)):
        coord = _coord(rank, mesh)
        for name, g in grads[rank].items():
            replicated = [d for d in mesh if d not in placements[name]]
            if any(coord[d] != 0 for d in replicated):
                continue
            if g is None or g.numel() == 0:
                continue
            x = g.to(torch.float32).abs()
            if is_inf:
                acc = torch.max(acc, x.max())
            else:
                acc = acc + (x ** norm_type).sum()

    total_norm = acc if is_inf else acc ** (1.0 / norm_type)
    factor = torch.minimum(max_norm / (total_norm + 1e-6), torch.tensor(1.0))

    clipped = []
    for rank_grads in grads:
        clipped.append({})
        for name, g in rank_grads.items():
            clipped[-1][name] = g if g is None else (g.to(torch.float32) * factor).to(g.dtype)
    return total_norm, clipped

def sharded_clip_grad_norm(grads, placements, mesh, max_norm, norm_type=2.0):
    """Return (total_norm, a 0-dim float32 tensor; clipped, a list of one dict per rank).

    grads: list of {name: tensor or None}; placements: {name: [mesh dimensions]}; mesh: {dimension: size}.
    """
    raise NotImplementedError

import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    """Return the indices of the accepted proposals, the number of proposals used, and the number of violations.

    log_p, log_q, uniforms: [N] float; log_m: float; n: int.
    """
    raise NotImplementedError

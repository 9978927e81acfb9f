import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    """Return the indices of the accepted proposals, the number used, and the number of violations."""
    excess = log_p.double() - log_q.double() - log_m
    hits = (uniforms.double().log() < excess).nonzero().squeeze(1)
    accepted = hits[:n]
    used = int(accepted[-1]) + 1 if len(hits) >= n else len(log_p)
    return accepted, used, int((excess[:used] > 0).sum())

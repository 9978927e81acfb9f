import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    """Return the indices of the accepted proposals, the number used, and the number of violations."""
    log_ratio = log_p.to(torch.float64) - log_q.to(torch.float64) - log_m
    accept = uniforms.to(torch.float64) < log_ratio.clamp(max=0.0).exp()
    accept |= (uniforms == 0) & torch.isfinite(log_p)
    before = accept.long().cumsum(0) - accept.long()
    looked_at = before < n
    return (
        torch.arange(len(accept), device=accept.device)[accept & looked_at],
        int(looked_at.sum()),
        int((looked_at & (log_ratio > 0)).sum()),
    )

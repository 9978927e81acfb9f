# expect: wrong
# mistake: The acceptance test replaces M with the largest density ratio among the given proposals, so each decision depends on the other proposals.
import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    log_ratio = log_p - log_q
    log_bound = log_ratio.max() if len(log_ratio) else log_m
    accept = (uniforms.log() < log_ratio - log_bound) & torch.isfinite(log_p)
    indices = accept.nonzero(as_tuple=True)[0][:n]
    used = indices[-1].item() + 1 if len(indices) == n else log_p.shape[0]
    violations = (log_p[:used] > log_q[:used] + log_m).sum().item()
    return indices, used, violations

# expect: wrong
# mistake: If fewer than n proposals are accepted, used is the position of the last accepted one instead of N, and a target density equal to M times the proposal density counts as a violation.
import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    bound = log_q + log_m
    accept = (uniforms.log() < log_p - bound) & (log_p != -torch.inf)
    accepted = accept.nonzero()[:, 0][:n]
    used = int(accepted[-1]) + 1 if accepted.numel() else 0
    violations = int((log_p[:used] >= bound[:used]).sum())
    return accepted, used, violations

import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n):
    ratios = log_p - log_q
    keep = uniforms.log() < ratios + log_m
    accepted = []
    used = violations = 0
    for i in range(len(log_p)):
        used += 1
        if bool(ratios[i] - log_m > 0):
            violations += 1
        if bool(keep[i]):
            accepted.append(i)
            if len(accepted) == n:
                break
    return torch.tensor(accepted, dtype=torch.int64, device=log_p.device), used, violations

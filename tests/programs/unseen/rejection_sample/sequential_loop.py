# expect: right
import math

import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    bounds = (log_q + log_m).tolist()
    accepted, used, violations = [], 0, 0
    for i, (p, bound, u) in enumerate(zip(log_p.tolist(), bounds, uniforms.tolist())):
        used = i + 1
        if p > bound:
            violations += 1
        log_u = math.log(u) if u > 0 else -math.inf
        if p > -math.inf and log_u < p - bound:
            accepted.append(i)
            if len(accepted) == n:
                break
    return torch.tensor(accepted, dtype=torch.int64), used, violations

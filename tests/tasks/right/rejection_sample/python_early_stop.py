import math

import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    """Return the indices of the accepted proposals, the number used, and the number of violations."""
    accepted, used, violations = [], 0, 0
    for i, (p, q, u) in enumerate(zip(log_p.tolist(), log_q.tolist(), uniforms.tolist())):
        used += 1
        excess = p - q - log_m
        violations += excess > 0
        if p > -math.inf and (u == 0 or math.log(u) < excess):
            accepted.append(i)
            if len(accepted) == n:
                break
    return torch.tensor(accepted, dtype=torch.int64), used, violations

# expect: wrong
# mistake: The densities are exponentiated before they are compared, so those of long sequences underflow to 0 and their proposals are rejected and never count as violations.
import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    p = log_p.exp()
    envelope = (log_q + log_m).exp()
    accept = uniforms * envelope < p
    hits = torch.nonzero(accept).flatten()
    used = int(hits[n - 1]) + 1 if len(hits) >= n else len(log_p)
    violations = int((p > envelope)[:used].sum())
    return hits[:n], used, violations

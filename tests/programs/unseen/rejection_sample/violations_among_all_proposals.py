# expect: wrong
# mistake: violations counts all N proposals, also those after the sampler has stopped.
import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    log_alpha = log_p - (log_q + log_m)
    violations = int((log_alpha > 0).sum())

    accepted = []
    used = 0
    for i in range(len(log_alpha)):
        used += 1
        supported = log_p[i] != float("-inf")
        if supported and torch.log(uniforms[i]) < log_alpha[i]:
            accepted.append(i)
        if len(accepted) >= n:
            break
    return torch.tensor(accepted, dtype=torch.long), used, violations

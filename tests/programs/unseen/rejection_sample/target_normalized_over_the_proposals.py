# expect: wrong
# mistake: The target's logarithms are first normalized with a logsumexp over the proposals, and the decisions and violations use these normalized densities instead of the given ones.
import torch


def rejection_sample(log_p, log_q, uniforms, log_m, n) -> tuple[torch.Tensor, int, int]:
    total = torch.logsumexp(log_p, dim=0)
    if torch.isfinite(total):
        log_p = log_p - total
    bound = log_q + log_m
    log_u = torch.log(uniforms)
    ok = (log_u < log_p - bound) & (log_p > float("-inf"))
    order = ok.long().cumsum(0)
    taken = ok & (order <= n)
    accepted = torch.where(taken)[0]
    if len(accepted) == n:
        used = int(accepted[-1]) + 1
    else:
        used = ok.numel()
    violations = int((log_p[:used] > bound[:used]).sum())
    return accepted, used, violations

import math

import torch
import torch.nn.functional as F


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    keep = mask.unsqueeze(-1)
    removed = torch.isneginf(teacher_logits) & keep
    s_logits = torch.where(keep, student_logits, 0.0) / temperature
    t_logits = torch.where(keep, teacher_logits.detach(), 0.0) / temperature
    log_q = F.log_softmax(s_logits, -1).masked_fill(removed, -1e4)
    log_p = F.log_softmax(t_logits, -1).masked_fill(removed, -1e4)

    def kl(log_a, log_b):
        return (log_a.exp() * (log_a - log_b)).sum(-1)

    if beta == 0:
        jsd = kl(log_p, log_q)
    elif beta == 1:
        jsd = kl(log_q, log_p)
    else:
        log_m = torch.logaddexp(log_q + math.log(beta), log_p + math.log1p(-beta))
        jsd = beta * kl(log_p, log_m) + (1 - beta) * kl(log_q, log_m)
    jsd = jsd.masked_fill(~mask, 0.0)
    return jsd.sum() / mask.sum().clamp(min=1)

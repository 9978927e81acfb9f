# expect: wrong
# mistake: For beta 0 it computes the reverse KL divergence KL(Q || P), and for beta 1 the forward one.
import math

import torch
import torch.nn.functional as F


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    with torch.no_grad():
        t = teacher_logits[mask] / temperature
        ruled_out = t == float("-inf")
        log_p = F.log_softmax(t, dim=-1).masked_fill(ruled_out, 0.0)
        p = log_p.exp().masked_fill(ruled_out, 0.0)
    log_q = F.log_softmax(student_logits[mask] / temperature, dim=-1).masked_fill(ruled_out, 0.0)
    q = log_q.exp().masked_fill(ruled_out, 0.0)

    if 0 < beta < 1:
        log_m = torch.logsumexp(torch.stack([log_p + math.log(beta), log_q + math.log(1 - beta)]), dim=0)
        kl_teacher = (p * (log_p - log_m)).sum(-1)
        kl_student = (q * (log_q - log_m)).sum(-1)
        divergence = beta * kl_teacher + (1 - beta) * kl_student
    elif beta == 0:
        divergence = (q * (log_q - log_p)).sum(-1)
    else:
        divergence = (p * (log_p - log_q)).sum(-1)
    return divergence.sum() / max(divergence.numel(), 1)

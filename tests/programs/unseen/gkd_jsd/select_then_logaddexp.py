# expect: right
import math

import torch


def _kl(logp, logq, allowed):
    p = logp.exp().masked_fill(~allowed, 0.0)
    return (p * (logp - logq)).sum(dim=-1)


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    s = student_logits[mask]
    t = teacher_logits.detach()[mask]
    if s.shape[0] == 0:
        return s.sum() * 0.0
    allowed = s.detach() > -math.inf
    log_q = (s / temperature).log_softmax(-1).masked_fill(~allowed, 0.0)
    log_p = (t / temperature).log_softmax(-1).masked_fill(~allowed, 0.0)
    if beta == 0:
        div = _kl(log_p, log_q, allowed)
    elif beta == 1:
        div = _kl(log_q, log_p, allowed)
    else:
        log_m = torch.logaddexp(log_p + math.log(beta), log_q + math.log1p(-beta))
        div = beta * _kl(log_p, log_m, allowed) + (1 - beta) * _kl(log_q, log_m, allowed)
    return div.mean()

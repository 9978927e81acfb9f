import math

import torch


def divergence(p, q):
    used = p.exp() > 0
    return (p[used].exp() * (p[used] - q[used])).sum()


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    losses = []
    for b, t in mask.nonzero().tolist():
        legal = student_logits[b, t] != float("-inf")
        q = student_logits[b, t][legal] / temperature
        p = teacher_logits[b, t][legal].detach() / temperature
        q, p = q - q.logsumexp(0), p - p.logsumexp(0)
        if beta == 0:
            losses.append(divergence(p, q))
        elif beta == 1:
            losses.append(divergence(q, p))
        else:
            m = torch.logaddexp(p + math.log(beta), q + math.log(1 - beta))
            losses.append(beta * divergence(p, m) + (1 - beta) * divergence(q, m))
    if not losses:
        return torch.zeros_like(student_logits).mul(student_logits.nan_to_num(0, 0, 0)).sum()
    return torch.stack(losses).mean()

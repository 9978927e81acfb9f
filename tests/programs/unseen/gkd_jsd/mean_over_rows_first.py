# expect: wrong
# mistake: The divergence is averaged over the unmasked positions of each row and then over the rows that have any, so positions of sparse rows have more weight.
import math

import torch


def position_divergence(s, t, beta):
    ok = torch.isfinite(s.detach())
    lq = s.log_softmax(-1).masked_fill(~ok, 0.0)
    lp = t.log_softmax(-1).masked_fill(~ok, 0.0)
    q, p = lq.exp() * ok, lp.exp() * ok
    if beta == 0:
        return (p * (lp - lq)).sum(-1)
    if beta == 1:
        return (q * (lq - lp)).sum(-1)
    lm = torch.logaddexp(lp + math.log(beta), lq + math.log(1 - beta))
    return beta * (p * (lp - lm)).sum(-1) + (1 - beta) * (q * (lq - lm)).sum(-1)


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    teacher_logits = teacher_logits.detach()
    rows = []
    for b in range(student_logits.shape[0]):
        keep = mask[b]
        if keep.any():
            s = student_logits[b][keep] / temperature
            t = teacher_logits[b][keep] / temperature
            rows.append(position_divergence(s, t, beta).mean())
    if not rows:
        return student_logits[mask].sum()
    return torch.stack(rows).mean()

# expect: wrong
# mistake: The gradient also flows into teacher_logits, and if every position is masked the loss is a constant 0 that does not depend on student_logits.
import math

import torch
import torch.nn.functional as F


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    if mask.sum() == 0:
        return torch.zeros((), dtype=student_logits.dtype)

    s = student_logits[mask] / temperature
    t = teacher_logits[mask] / temperature
    vocab_ok = ~torch.isinf(s.detach())

    def log_probs(x):
        return F.log_softmax(x, dim=-1).masked_fill(~vocab_ok, 0.0)

    def kl(log_a, log_b):
        return (log_a.exp() * (log_a - log_b)).masked_fill(~vocab_ok, 0.0).sum(-1)

    ls, lt = log_probs(s), log_probs(t)
    if beta == 0:
        out = kl(lt, ls)
    elif beta == 1:
        out = kl(ls, lt)
    else:
        lm = torch.logaddexp(math.log(beta) + lt, math.log(1 - beta) + ls)
        out = beta * kl(lt, lm) + (1 - beta) * kl(ls, lm)
    return out.mean()

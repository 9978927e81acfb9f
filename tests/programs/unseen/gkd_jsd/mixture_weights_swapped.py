# expect: wrong
# mistake: The mixture gives the teacher's distribution the weight 1 - beta and the student's the weight beta instead of the other way round.
import math

import torch


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    n = int(mask.sum())
    if n == 0:
        return student_logits[mask].sum()

    student = student_logits[mask] / temperature
    teacher = teacher_logits[mask].detach() / temperature
    banned = torch.isneginf(student.detach())

    s_logp = torch.log_softmax(student, dim=-1).masked_fill(banned, 0)
    t_logp = torch.log_softmax(teacher, dim=-1).masked_fill(banned, 0)
    s_p = s_logp.exp().masked_fill(banned, 0)
    t_p = t_logp.exp().masked_fill(banned, 0)

    if beta == 0:
        per_token = t_p * (t_logp - s_logp)
    elif beta == 1:
        per_token = s_p * (s_logp - t_logp)
    else:
        m_logp = torch.logaddexp(s_logp + math.log(beta), t_logp + math.log(1 - beta))
        per_token = beta * t_p * (t_logp - m_logp) + (1 - beta) * s_p * (s_logp - m_logp)
    return per_token.sum() / n

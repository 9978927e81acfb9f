# expect: wrong
# mistake: The loss is multiplied by the square of the temperature.
import math

import torch


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    keep = mask.unsqueeze(-1)
    usable = keep & (student_logits.detach() > float("-inf"))
    # Masked positions and ruled-out tokens get harmless values before anything is computed.
    floor = float("-inf")
    student = torch.where(usable, student_logits, floor)
    student = torch.where(keep, student, 0.0) / temperature
    teacher = torch.where(usable, teacher_logits.detach(), floor)
    teacher = torch.where(keep, teacher, 0.0) / temperature

    log_q = torch.where(usable, student.log_softmax(dim=-1), 0.0)
    log_p = torch.where(usable, teacher.log_softmax(dim=-1), 0.0)
    q = torch.where(usable, log_q.exp(), 0.0)
    p = torch.where(usable, log_p.exp(), 0.0)

    if beta == 0:
        terms = p * (log_p - log_q)
    elif beta == 1:
        terms = q * (log_q - log_p)
    else:
        log_m = torch.logaddexp(log_p + math.log(beta), log_q + math.log(1 - beta))
        terms = beta * p * (log_p - log_m) + (1 - beta) * q * (log_q - log_m)
    loss = terms.sum() / mask.sum().clamp(min=1)
    return loss * temperature**2

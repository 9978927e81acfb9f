import torch
from torch.nn import functional as F


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    """Keep the shape [B, T, V], and select before every operation that could meet a NaN or an infinity."""
    usable = mask.unsqueeze(-1) & (student_logits != float("-inf"))
    low = -1e5 * temperature
    q = F.log_softmax(torch.where(usable, student_logits, low) / temperature, dim=-1)
    p = F.log_softmax(torch.where(usable, teacher_logits.detach(), low) / temperature, dim=-1)
    if beta == 0:
        terms = p.exp() * (p - q)
    elif beta == 1:
        terms = q.exp() * (q - p)
    else:
        m = torch.logaddexp(p + torch.log(p.new_tensor(beta)), q + torch.log1p(p.new_tensor(-beta)))
        terms = beta * p.exp() * (p - m) + (1 - beta) * q.exp() * (q - m)
    return torch.where(usable, terms, 0.0).sum() / mask.sum().clamp(min=1)

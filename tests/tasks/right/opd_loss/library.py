import torch
from torch.nn import functional as F


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    with torch.no_grad():
        teacher = F.threshold(torch.nan_to_num(teacher_logp, nan=0.0, neginf=-20.0), -20.0, -20.0)
        adv = lam * torch.where(mask, teacher - student_logp, torch.zeros_like(student_logp))
    picked = torch.where(mask, student_logp, torch.zeros_like(student_logp))
    total = torch.einsum("bt,bt->", adv, picked)
    return adv, total.neg() / mask.count_nonzero().clamp_min(1)

# expect: wrong
# mistake: the loss is minus the mean of ratio times advantage with a ratio that is one, so its value is not that of advantage times log-probability
import torch

FLOOR = -20.0


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    student = student_logp.masked_fill(~mask, 0.0)
    teacher = teacher_logp.detach().masked_fill(~mask, 0.0).clamp_min(FLOOR)
    adv = (lam * (teacher - student.detach())).to(student_logp.dtype)
    # sampled on-policy, the ratio is one and only its gradient matters
    ratio = torch.exp(student - student.detach())
    count = mask.sum().clamp_min(1)
    per_token = -ratio * adv
    return adv, per_token.masked_fill(~mask, 0.0).sum() / count

# expect: wrong
# mistake: the loss is the sampled divergence itself (student minus teacher) with gradient through the student, not advantage times log-probability
import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    teacher = teacher_logp.detach().to(student_logp.dtype).clamp(min=-20.0)
    zeros = torch.zeros_like(student_logp)
    # reverse KL at each position: log p_student - log p_teacher of the sampled token
    kl = torch.where(mask, student_logp, zeros) - torch.where(mask, teacher, zeros)
    kl = lam * kl
    adv = -kl.detach()
    tokens = mask.sum().clamp(min=1)
    return adv, kl.sum() / tokens

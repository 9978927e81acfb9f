import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    rows, steps = mask.shape
    adv = torch.zeros(rows, steps, dtype=student_logp.dtype, device=student_logp.device)
    terms = []
    for b in range(rows):
        for t in range(steps):
            if not bool(mask[b, t]):
                continue
            teacher = max(teacher_logp[b, t].item(), -20.0)
            adv[b, t] = lam * (teacher - student_logp[b, t].item())
            terms.append(-adv[b, t].clone() * student_logp[b, t])
    if not terms:
        return adv, student_logp[mask].sum()
    return adv, sum(terms) / len(terms)

import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    kept = mask.reshape(-1)
    flat = student_logp.reshape(-1)[kept]
    target = teacher_logp.detach().reshape(-1)[kept].clip(min=-20.0)
    reward = lam * (target - flat.detach())
    adv = torch.zeros(mask.numel(), dtype=reward.dtype, device=reward.device)
    adv[kept] = reward
    return adv.view(mask.shape), -(reward @ flat) / max(1, flat.numel())

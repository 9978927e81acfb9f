import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (adv, pg_loss): advantages [B, T] and a 0-dim loss to minimize.

    student_logp, teacher_logp: [B, T] float; mask: [B, T] bool, True on the tokens that the student wrote.
    """
    raise NotImplementedError

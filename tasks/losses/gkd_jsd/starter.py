import torch


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0) -> torch.Tensor:
    """Return the generalized Jensen-Shannon divergence between teacher and student, a 0-dim tensor to minimize.

    student_logits, teacher_logits: [B, T, V] float; mask: [B, T] bool, True on the positions that count.
    """
    raise NotImplementedError

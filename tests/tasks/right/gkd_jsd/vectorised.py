import torch


def kl(left, right):
    """KL of log-probabilities [N, V] along the last dimension; a token without probability on the left adds nothing."""
    p = left.exp()
    return torch.where(p > 0, p * (left - right), 0.0).sum(dim=-1)


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    student, teacher = student_logits[mask], teacher_logits.detach()[mask]
    if student.shape[0] == 0:
        return torch.where(mask.unsqueeze(-1), student_logits, 0.0).sum() * 0.0
    is_out = torch.isneginf(student)
    # A finite stand-in keeps infinities out of the backward pass; its probability is 0 exactly.
    student = student.masked_fill(is_out, -1e6)
    teacher = teacher.masked_fill(is_out, -1e6)
    q = (student / temperature).log_softmax(dim=-1).masked_fill(is_out, -1e6)
    p = (teacher / temperature).log_softmax(dim=-1).masked_fill(is_out, -1e6)
    if beta == 0:
        return kl(p, q).mean()
    if beta == 1:
        return kl(q, p).mean()
    log_beta = torch.tensor(beta, dtype=torch.float64).log().to(p)
    log_rest = torch.tensor(1 - beta, dtype=torch.float64).log().to(p)
    m = torch.logaddexp(p + log_beta, q + log_rest)
    return (beta * kl(p, m) + (1 - beta) * kl(q, m)).mean()

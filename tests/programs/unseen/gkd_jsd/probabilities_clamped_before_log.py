# expect: wrong
# mistake: All probabilities are clamped to at least 1e-8 before the logarithm, so the KL divergence is too small, and its gradient is lost, where a probability is below 1e-8.
import torch

EPS = 1e-8


def kl_div(a, b):
    return (a * (a.clamp(min=EPS).log() - b.clamp(min=EPS).log())).sum(dim=-1)


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    if not mask.any():
        return student_logits[mask].sum()
    q = torch.softmax(student_logits[mask] / temperature, dim=-1)
    p = torch.softmax(teacher_logits[mask].detach() / temperature, dim=-1)
    if beta == 0:
        return kl_div(p, q).mean()
    if beta == 1:
        return kl_div(q, p).mean()
    m = beta * p + (1 - beta) * q
    return (beta * kl_div(p, m) + (1 - beta) * kl_div(q, m)).mean()

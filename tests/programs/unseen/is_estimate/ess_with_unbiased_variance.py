# expect: wrong
# mistake: The effective sample size is N / (1 + variance / mean^2) of the weights with the unbiased variance, which divides by N - 1 instead of N.
import torch


def effective_sample_size(w):
    n = w.shape[1]
    scale = w.amax(dim=1, keepdim=True)
    alive = scale[:, 0] > 0
    u = w / torch.where(scale > 0, scale, torch.ones_like(scale))
    mean = u.mean(dim=1)
    cv2 = u.var(dim=1) / torch.where(alive, mean, torch.ones_like(mean)) ** 2
    return torch.where(alive, n / (1 + cv2), torch.zeros_like(mean))


def is_estimate(log_w, values, kind, lo=None, hi=None):
    if kind == "snis":
        w = torch.exp(log_w - log_w.amax(dim=1, keepdim=True))
        w = w / w.sum(dim=1, keepdim=True)
        return (w * values).sum(dim=1), effective_sample_size(w)
    w = torch.exp(log_w)
    if kind == "tis":
        w = torch.where(w > hi, torch.full_like(w, hi), w)
    elif kind == "mis":
        w = torch.where((w < lo) | (w > hi), torch.zeros_like(w), w)
    return (w * values).mean(dim=1), effective_sample_size(w)

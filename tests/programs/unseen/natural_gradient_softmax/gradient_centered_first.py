# expect: wrong
# mistake: The mean of the legal gradients, which is only a rounding error, is subtracted from the gradient before the division by the probabilities.
import torch


def center(values, legal):
    mean = values.sum(dim=-1, keepdim=True) / legal.sum(dim=-1, keepdim=True)
    return torch.where(legal, values - mean, torch.zeros_like(values))


def natural_gradient_softmax(logits, grad, legal):
    dtype = logits.dtype
    neg_inf = torch.tensor(float("-inf"), dtype=torch.float64)
    zero = torch.zeros((), dtype=torch.float64)
    log_p = torch.where(legal, logits.double(), neg_inf).log_softmax(dim=-1)
    # the gradients of the legal actions sum to exactly 0
    g = center(torch.where(legal, grad.double(), zero), legal)
    ratio = torch.where(legal, g * torch.where(legal, -log_p, zero).exp(), zero)
    nat = center(ratio, legal)
    rate = (g * nat).sum(dim=-1)
    return nat.to(dtype), rate.to(dtype)

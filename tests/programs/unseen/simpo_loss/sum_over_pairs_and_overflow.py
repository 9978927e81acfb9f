# expect: wrong
# mistake: The losses of the pairs are summed instead of averaged, and log(1 + exp(x)) is computed as written, which overflows to infinity for a pair that is lost by far.
import torch


def simpo_loss(avg_logp_w, avg_logp_l, beta=2.0, gamma=1.0) -> torch.Tensor:
    total = torch.zeros((), dtype=avg_logp_w.dtype, device=avg_logp_w.device)
    for w, l in zip(avg_logp_w, avg_logp_l):
        x = gamma - beta * (w - l)
        total = total + torch.log(1 + torch.exp(x))
    return total

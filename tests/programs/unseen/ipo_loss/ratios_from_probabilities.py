# expect: wrong
# mistake: The ratios are formed from exponentiated log-probabilities, which underflow to 0 for low log-probabilities, so the loss and its gradient are NaN.
import torch


def log_ratio(logp, ref_logp):
    return torch.log(logp.exp() / ref_logp.exp())


def ipo_loss(pi_w, pi_l, ref_w, ref_l, beta) -> torch.Tensor:
    with torch.no_grad():
        ref_w, ref_l = ref_w.clone(), ref_l.clone()
    margin = log_ratio(pi_w, ref_w) - log_ratio(pi_l, ref_l)
    target = 0.5 / beta
    return ((margin - target) ** 2).mean()

# expect: wrong
# mistake: Only the diagonal p * (1 - p) of the Fisher matrix is used, and the rate is the squared norm of the natural gradient.
import torch


def natural_gradient_softmax(logits, grad, legal):
    B, A = logits.shape
    nat = torch.zeros(B, A, dtype=torch.float64)
    for b in range(B):
        idx = legal[b].nonzero().flatten()
        if len(idx) < 2:
            continue
        log_p = logits[b, idx].double().log_softmax(0)
        p = log_p.exp()
        others = torch.stack([p.sum() - p[i] if p[i] < 0.5 else torch.cat([p[:i], p[i + 1 :]]).sum() for i in range(len(p))])
        step = grad[b, idx].double() / (p * others)
        nat[b, idx] = step - step.mean()
    rate = nat.square().sum(dim=1)
    return nat.to(logits.dtype), rate.to(logits.dtype)

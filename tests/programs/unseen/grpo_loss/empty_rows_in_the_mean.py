# expect: wrong
# mistake: The mean over rows divides by the batch size, so rows without unmasked tokens count as rows with a loss of 0.
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    B = logp.shape[0]
    row_losses = []
    for i in range(B):
        m = mask[i]
        lp = logp[i][m]
        n = int(m.sum())
        if n == 0:
            row_losses.append(lp.sum())
            continue
        old = old_logp[i][m].detach()
        a = adv[i].detach()
        ratio = (lp - old).exp()
        obj = torch.minimum(ratio * a, ratio.clamp(1 - eps, 1 + eps) * a)
        if beta:
            log_r = ref_logp[i][m].detach() - lp
            obj = obj - beta * (log_r.exp() - log_r - 1)
        row_losses.append(-obj.mean())
    return torch.stack(row_losses).mean()

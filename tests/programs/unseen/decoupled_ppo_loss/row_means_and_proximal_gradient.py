# expect: wrong
# mistake: The loss is the mean over the rows with unmasked tokens of each row's mean, instead of the mean over all unmasked tokens, and prox_logp is not detached in the ratio, so that it receives a gradient.
import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    row_losses = []
    for i in range(logp.shape[0]):
        m = mask[i]
        if not m.any():
            continue
        prox = prox_logp[i][m]
        a = adv[i][m].detach()
        w = (prox - behav_logp[i][m]).exp().detach()
        if w_cap is not None:
            w = torch.where(w > w_cap, torch.zeros_like(w), w)
        ratio = (logp[i][m] - prox).exp()
        pg = torch.max(-a * ratio, -a * ratio.clamp(1 - eps, 1 + eps))
        row_losses.append((w * pg).mean())
    if not row_losses:
        return logp[mask].sum()
    return torch.stack(row_losses).mean()

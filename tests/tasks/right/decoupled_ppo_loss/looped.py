import torch


def decoupled_ppo_loss(logp, prox_logp, behav_logp, adv, mask, eps=0.2, w_cap=None):
    total, count = 0.0, 0
    for b in range(mask.shape[0]):
        for t in range(mask.shape[1]):
            if not mask[b, t]:
                continue
            count += 1
            prox = prox_logp[b, t].detach()
            weight = torch.exp(prox - behav_logp[b, t].detach())
            if w_cap is not None and weight > w_cap:
                continue
            advantage = adv[b, t].detach()
            ratio = torch.exp(logp[b, t] - prox)
            clipped = min(max(ratio.item(), 1 - eps), 1 + eps)
            if clipped * advantage < ratio.item() * advantage:
                total = total - weight * clipped * advantage
            else:
                total = total - weight * ratio * advantage
    return logp[mask].sum() * 0 + total / max(count, 1)

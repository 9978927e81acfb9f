import torch


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    zero = torch.where(mask, logp, torch.zeros_like(logp)).sum() * 0  # keeps the graph when nothing counts
    row_losses = []
    clipped, kl, count = 0.0, 0.0, 0
    for b in range(mask.shape[0]):
        losses = []
        for t in range(mask.shape[1]):
            if not mask[b, t]:
                continue
            a = adv[b, t].item()
            log_ratio = logp[b, t] - old_logp[b, t].item()
            ratio = log_ratio.exp()
            plain, limited = -a * ratio, -a * ratio.clamp(1 - eps_low, 1 + eps_high)
            is_clipped = limited.item() > plain.item()
            loss = limited if is_clipped else plain
            if dual_c is not None and a < 0 and loss.item() > dual_c * -a:
                loss = zero - dual_c * a
            losses.append(loss)
            clipped += is_clipped
            kl += ratio.item() - 1 - log_ratio.item()
            count += 1
        if losses:
            row_losses.append(losses)
    if count == 0:
        return zero, zero.detach(), zero.detach()
    if reduction == "seq":
        loss = sum(sum(losses) / len(losses) for losses in row_losses) / len(row_losses)
    else:
        loss = sum(sum(losses) for losses in row_losses) / count
    return loss, logp.new_tensor(clipped / count), logp.new_tensor(kl / count)

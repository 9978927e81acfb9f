import torch


def sapo_loss(logp, old_logp, adv, mask, tau_pos=1.0, tau_neg=1.05):
    rows = mask.any(dim=1)
    keep = mask[rows]
    drift = (logp[rows] - old_logp[rows].detach()).masked_fill(~keep, 0)
    gain = adv[rows].detach().masked_fill(~keep, 0)
    # 4 * sigmoid(x) = 2 + 2 * tanh(x / 2)
    bent = 2 + 2 * torch.tanh(torch.expm1(drift)[..., None] * gain.new_tensor([tau_pos, tau_neg]) / 2)
    good, bad = (bent / gain.new_tensor([tau_pos, tau_neg])).unbind(-1)
    value = good * gain.clamp(min=0) + bad * gain.clamp(max=0)
    weight = keep / keep.sum(dim=1, keepdim=True)
    return -(value * weight).sum() / max(int(rows.sum()), 1)

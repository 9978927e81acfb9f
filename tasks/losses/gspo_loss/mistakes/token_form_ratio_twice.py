import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    def clipped(ratio, advantage):
        bounded = torch.clamp(ratio, 1 - eps_low, 1 + eps_high)
        return -torch.min(ratio * advantage, bounded * advantage)

    losses = []
    for i in range(len(mask)):
        keep = mask[i]
        if keep.sum() == 0:
            continue
        new = logp[i][keep]
        old = old_logp[i][keep].detach()
        s = torch.exp((new - old).mean())
        if token_variant:
            advantage = adv[i].detach()
            if adv.dim() == 2:
                advantage = advantage[keep]
            s_token = s.detach() * torch.exp(new - old)
            losses.append(clipped(s_token, advantage).mean())
        else:
            losses.append(clipped(s, adv[i].detach()))
    if len(losses) == 0:
        return 0.0 * logp.masked_fill(~mask, 0.0).sum()
    return torch.stack(losses).mean()

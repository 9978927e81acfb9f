import torch


def coin_divergence(old, new, kind):
    if kind == "tv":
        return (old - new).abs()
    first = old.exp() * (old - new)
    second = torch.special.xlogy(1 - old.exp(), 1 - old.exp()) - torch.special.xlogy(1 - old.exp(), 1 - new.exp())
    return first + second


def dppo_mask_loss(logp, mu_logp, adv, mask, delta=0.15, kind="tv", C=20):
    new = logp[mask]
    old = mu_logp[mask].detach()
    advantage = adv[mask].detach()
    n = max(new.numel(), 1)
    with torch.no_grad():
        ratio = (new - old).exp()
        is_far = coin_divergence(old, new, kind) > delta
        grows = ratio > 1
        shrinks = ratio < 1
        silenced = is_far & torch.where(advantage > 0, grows, shrinks)
        weight = ratio.clamp(max=C)
        weight[silenced] = 0.0
    return -torch.sum(weight * advantage * new) / n

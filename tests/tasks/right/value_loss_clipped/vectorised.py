import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    current, old, goal = v[mask], v_old[mask].detach(), returns[mask].detach()
    held = current.clip(old - eps, old + eps)
    worse = torch.stack([current - goal, held - goal]).abs().amax(dim=0)
    return worse.square().sum() / (2 * max(current.numel(), 1))

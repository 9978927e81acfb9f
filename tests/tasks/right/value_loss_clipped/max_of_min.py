import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    v, v_old, returns = v[mask], v_old[mask].detach(), returns[mask].detach()
    clipped = torch.max(torch.min(v, v_old + eps), v_old - eps)
    errors = torch.max((v - returns) ** 2, (clipped - returns) ** 2)
    return 0.5 * errors.sum() / max(len(errors), 1)

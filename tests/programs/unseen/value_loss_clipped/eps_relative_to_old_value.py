# expect: wrong
# mistake: The clip interval is v_old plus or minus eps times the magnitude of v_old, instead of plus or minus eps itself.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    zero = torch.zeros_like(v)
    cur = torch.where(mask, v, zero)
    old = torch.where(mask, v_old.detach(), zero)
    ret = torch.where(mask, returns.detach(), zero)
    span = eps * old.abs()
    clipped = torch.clamp(cur, old - span, old + span)
    sq = torch.max((cur - ret).square(), (clipped - ret).square())
    sq = torch.where(mask, sq, zero)
    return 0.5 * sq.sum() / mask.sum().clamp(min=1)

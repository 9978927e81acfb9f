# expect: wrong
# mistake: The clip is relative, between (1 - eps) and (1 + eps) times the old value, instead of eps to either side.
import torch


def value_loss_clipped(v, v_old, returns, mask, eps=0.2) -> torch.Tensor:
    keep = mask.bool()
    v = torch.where(keep, v, torch.zeros_like(v))
    with torch.no_grad():
        anchor = torch.where(keep, v_old, torch.zeros_like(v_old))
        target = torch.where(keep, returns, torch.zeros_like(returns))
        edges = torch.stack([anchor * (1 - eps), anchor * (1 + eps)])
        low, high = edges.amin(dim=0), edges.amax(dim=0)
    v_clip = torch.clamp(v, min=low, max=high)
    losses = torch.max((v - target).square(), (v_clip - target).square())
    return 0.5 * (losses * keep).sum() / keep.sum().clamp(min=1)

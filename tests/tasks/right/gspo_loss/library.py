import torch
from torch.nn import functional as F


class ShareRatio(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logp, ratio):
        ctx.save_for_backward(ratio)
        return ratio.clone()

    @staticmethod
    def backward(ctx, slope):
        return slope * ctx.saved_tensors[0], None


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    index = torch.nonzero(mask)[:, 0]
    count = torch.zeros(mask.shape[0], dtype=logp.dtype, device=logp.device)
    count = count.index_add(0, index, torch.ones_like(logp[mask]))
    per_row = torch.zeros_like(count).index_add(0, index, logp[mask] - old_logp.detach()[mask])
    ratio = torch.exp(per_row / count.clamp(min=1))
    if token_variant:
        gain = (adv if adv.dim() == 2 else adv[:, None].expand(mask.shape)).detach()[mask]
        ratio, weight = ShareRatio.apply(logp[mask], ratio.detach()[index]), 1 / count[index]
    else:
        gain, ratio, weight = adv.detach()[count > 0], ratio[count > 0], 1.0
    loss = torch.maximum(-gain * ratio, -gain * F.hardtanh(ratio, 1 - eps_low, 1 + eps_high))
    return (loss * weight).sum() / (count > 0).sum().clamp(min=1)

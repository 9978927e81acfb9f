import torch


def reinforce_loss(logp, adv, mask, reduction):
    nothing = logp.new_zeros(())
    gain = torch.where(mask, adv.detach().reshape(len(mask), -1).expand(mask.shape), nothing)
    kept = torch.where(mask, logp, nothing)
    rows = -torch.einsum("bt,bt->b", gain, kept)
    counts = mask.count_nonzero(dim=1)
    if reduction == "token":
        return rows.sum() / counts.sum().clamp_min(1)
    per_row = rows / counts.clamp_min(1) if reduction == "seq" else rows
    return per_row.sum() / counts.gt(0).sum().clamp_min(1)

import torch


def reinforce_loss(logp, adv, mask, reduction):
    rows, columns = mask.nonzero(as_tuple=True)
    gain = (adv[rows] if adv.dim() == 1 else adv[rows, columns]).detach()
    lengths = torch.bincount(rows, minlength=len(mask))
    answers = max(int(lengths.count_nonzero()), 1)
    scale = {
        "token": torch.full_like(gain, 1 / max(len(rows), 1)),
        "seq": 1 / (answers * lengths[rows]).to(gain.dtype),
        "seq_sum": torch.full_like(gain, 1 / answers),
    }[reduction]
    return -(gain * scale * logp[rows, columns]).sum()

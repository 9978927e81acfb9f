import torch


def off_policy_seq_mask(logp, old_logp, adv, mask, delta):
    keep = []
    for new, old, advantage, own in zip(logp, old_logp, adv.tolist(), mask, strict=True):
        gaps = old[own] - new[own]
        keep.append(not (advantage < 0 and len(gaps) > 0 and gaps.mean().item() > delta))
    return torch.tensor(keep, dtype=torch.bool, device=logp.device)

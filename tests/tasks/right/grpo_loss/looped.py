import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    total = torch.zeros((), dtype=logp.dtype, device=logp.device)
    rows = 0
    for b in range(mask.shape[0]):
        row, count = torch.zeros((), dtype=logp.dtype, device=logp.device), 0
        for t in range(mask.shape[1]):
            if not mask[b, t]:
                continue
            count += 1
            ratio = torch.exp(logp[b, t] - old_logp[b, t].detach())
            advantage = adv[b].item()
            goes_too_far = (advantage > 0 and ratio > 1 + eps) or (advantage < 0 and ratio < 1 - eps)
            if goes_too_far:
                bound = 1 + eps if advantage > 0 else 1 - eps
                row = row - bound * advantage
            else:
                row = row - ratio * advantage
            if beta:
                x = torch.exp(ref_logp[b, t].detach() - logp[b, t])
                row = row + beta * (x - torch.log(x) - 1)
        if count:
            rows += 1
            total = total + row / count
    return total / rows if rows else (logp[mask]).sum()

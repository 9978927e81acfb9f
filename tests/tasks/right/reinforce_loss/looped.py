def reinforce_loss(logp, adv, mask, reduction):
    total = (logp[mask] * 0).sum()
    tokens = answers = 0
    for b in range(mask.shape[0]):
        row, count = 0.0, 0
        for t in range(mask.shape[1]):
            if mask[b, t]:
                weight = adv[b].item() if adv.dim() == 1 else adv[b, t].item()
                row = row - weight * logp[b, t]
                count += 1
        if count == 0:
            continue
        tokens, answers = tokens + count, answers + 1
        total = total + (row / count if reduction == "seq" else row)
    return total / max(tokens if reduction == "token" else answers, 1)

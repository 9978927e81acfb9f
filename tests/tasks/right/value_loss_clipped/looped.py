def value_loss_clipped(v, v_old, returns, mask, eps=0.2):
    total = (v[mask] * 0).sum()
    count = 0
    for b in range(mask.shape[0]):
        for t in range(mask.shape[1]):
            if not mask[b, t]:
                continue
            count += 1
            old, goal, now = v_old[b, t].item(), returns[b, t].item(), v[b, t].item()
            held = min(max(now, old - eps), old + eps)
            if (held - goal) ** 2 > (now - goal) ** 2:
                total = total + (held - goal) ** 2
            else:
                total = total + (v[b, t] - goal) ** 2
    return total / 2 / max(count, 1)

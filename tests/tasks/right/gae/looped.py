import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    steps, columns = rewards.shape
    adv = [[0.0] * columns for _ in range(steps)]
    r, v, last = rewards.tolist(), values.tolist(), next_value.tolist()
    dead, cut, final = terminated.tolist(), truncated.tolist(), final_values.tolist()
    for b in range(columns):
        future_adv = 0.0
        future_value = last[b]
        for t in reversed(range(steps)):
            if dead[t][b]:
                future_adv, future_value = 0.0, 0.0
            elif cut[t][b]:
                future_adv, future_value = 0.0, final[t][b]
            delta = r[t][b] + gamma * future_value - v[t][b]
            future_adv = delta + gamma * lam * future_adv
            adv[t][b] = future_adv
            future_value = v[t][b]
    adv = torch.tensor(adv, dtype=values.dtype, device=values.device).reshape(steps, columns)
    return adv, adv + values.detach()

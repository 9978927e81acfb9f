import math

import torch


def vtrace(behav_logp, target_logp, r, v, v_last, discount, rho_bar=1.0, c_bar=1.0, lam=1.0):
    steps, columns = r.shape
    b, p, rewards, values = behav_logp.tolist(), target_logp.tolist(), r.tolist(), v.tolist()
    last, gamma = v_last.tolist(), discount.tolist()
    targets = [[0.0] * columns for _ in range(steps)]
    advantages = [[0.0] * columns for _ in range(steps)]
    for j in range(columns):
        next_target, next_value = last[j], last[j]
        for t in range(steps - 1, -1, -1):
            # Above 700, exp overflows; a limit of at most that is reached long before.
            ratio = math.exp(min(p[t][j] - b[t][j], 600.0))
            rho, c = min(ratio, rho_bar), lam * min(ratio, c_bar)
            error = rho * (rewards[t][j] + gamma[t][j] * next_value - values[t][j])
            advantages[t][j] = rho * (rewards[t][j] + gamma[t][j] * next_target - values[t][j])
            next_target = values[t][j] + error + gamma[t][j] * c * (next_target - next_value)
            next_value = values[t][j]
            targets[t][j] = next_target
    as_tensor = {"dtype": v.dtype, "device": v.device}
    return torch.tensor(targets, **as_tensor), torch.tensor(advantages, **as_tensor)

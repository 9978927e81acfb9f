import torch


def compute_advantages(rollout, last_values, gamma, lam):
    table = {name: x.tolist() for name, x in rollout.items()}
    last = last_values.tolist()
    values = rollout["values"]
    steps, robots = values.shape
    out = [[0.0] * robots for _ in range(steps)]
    for n in range(robots):
        later = 0.0
        for t in range(steps - 1, -1, -1):
            if table["terminated"][t][n]:
                future, carried = 0.0, 0.0
            elif table["truncated"][t][n]:
                future, carried = table["final_values"][t][n], 0.0
            else:
                future = last[n] if t == steps - 1 else table["values"][t + 1][n]
                carried = gamma * lam * later
            later = table["rewards"][t][n] + gamma * future - table["values"][t][n] + carried
            out[t][n] = later
    advantages = torch.tensor(out, dtype=values.dtype, device=values.device)
    return advantages, advantages + values

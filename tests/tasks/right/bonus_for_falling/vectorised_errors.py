import torch


def compute_advantages(rollout, last_values, gamma, lam):
    values, rewards = rollout["values"].detach(), rollout["rewards"].detach()
    over = rollout["terminated"] | rollout["truncated"]
    after = torch.cat([values, last_values.detach()[None]])[1:]
    after = torch.where(rollout["truncated"], rollout["final_values"], after)
    after = after.masked_fill(rollout["terminated"], 0.0)
    errors = rewards + gamma * after - values
    keep = gamma * lam * (~over).to(errors.dtype)
    rows = [errors[-1]]
    for error, factor in zip(errors[:-1].flip(0), keep[:-1].flip(0), strict=True):
        rows.append(error + factor * rows[-1])
    advantages = torch.stack(rows[::-1])
    return advantages, values + advantages

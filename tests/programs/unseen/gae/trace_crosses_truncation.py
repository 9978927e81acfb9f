# expect: wrong
# mistake: The running sum of advantages is cut at terminated steps only and crosses truncated ones.
import torch


@torch.no_grad()
def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    following = torch.cat((values[1:], next_value.unsqueeze(0)), dim=0)
    bootstrap = torch.where(truncated & ~terminated, final_values, following)
    bootstrap = torch.where(terminated, torch.zeros_like(bootstrap), bootstrap)
    deltas = rewards + gamma * bootstrap - values

    alive = (~terminated).to(values.dtype)
    adv = deltas.clone()
    for t in range(len(deltas) - 2, -1, -1):
        adv[t] += gamma * lam * alive[t] * adv[t + 1]
    return adv, adv + values

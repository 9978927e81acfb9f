# expect: wrong
# mistake: If both flags are set, the step counts as truncated, not as terminated.
import torch


def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        adv = torch.empty_like(values)
        running = torch.zeros_like(next_value)
        upcoming = next_value
        for t in range(rewards.shape[0] - 1, -1, -1):
            upcoming = torch.where(terminated[t], torch.zeros_like(upcoming), upcoming)
            upcoming = torch.where(truncated[t], final_values[t], upcoming)
            ended = terminated[t] | truncated[t]
            running = torch.where(ended, torch.zeros_like(running), running)
            running = rewards[t] + gamma * upcoming - values[t] + gamma * lam * running
            adv[t] = running
            upcoming = values[t]
        return adv, adv + values

# expect: wrong
# mistake: The advantages are normalised to mean 0 and deviation 1.
# mistake: After a truncated step the next row of values is used, which belongs to a new episode, instead of final_values.
import torch


@torch.no_grad()
def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    T, B = rewards.shape
    adv = torch.zeros_like(values)
    last = torch.zeros_like(values[0])
    for t in reversed(range(T)):
        nxt = next_value if t == T - 1 else values[t + 1]
        nxt = torch.where(terminated[t], torch.zeros_like(nxt), nxt)
        delta = rewards[t] + gamma * nxt - values[t]
        last = torch.where(terminated[t] | truncated[t], delta, delta + gamma * lam * last)
        adv[t] = last
    targets = adv + values
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    return adv, targets

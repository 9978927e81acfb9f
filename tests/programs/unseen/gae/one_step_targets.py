# expect: wrong
# mistake: The targets are those of TD(0), reward plus discounted next value, not the advantages plus the values.
import torch


@torch.no_grad()
def gae(
    rewards, values, next_value, terminated, truncated, final_values, gamma, lam
) -> tuple[torch.Tensor, torch.Tensor]:
    v_next = torch.vstack([values[1:], next_value[None, :]])
    v_next = torch.where(truncated, final_values, v_next)
    v_next = torch.where(terminated, torch.zeros_like(v_next), v_next)
    targets = rewards + gamma * v_next
    deltas = targets - values

    goes_on = ~(terminated | truncated)
    adv = torch.zeros_like(deltas)
    acc = torch.zeros_like(deltas[0])
    for t in reversed(range(deltas.shape[0])):
        acc = deltas[t] + gamma * lam * goes_on[t] * acc
        adv[t] = acc
    return adv, targets

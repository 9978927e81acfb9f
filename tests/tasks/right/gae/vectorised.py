import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    rewards, values, next_value = rewards.detach(), values.detach(), next_value.detach()
    steps = len(rewards)
    after = torch.cat([values, next_value.unsqueeze(0)])[1:]
    after = torch.where(truncated, final_values.detach(), after).masked_fill(terminated, 0.0)
    deltas = rewards + gamma * after - values
    # reach[t, k] says that no episode ended in t .. k-1.
    ends = (terminated | truncated).long().cumsum(dim=0)
    before = torch.cat([torch.zeros_like(ends[:1]), ends[:-1]])
    reach = before[None] == before[:, None]
    place = torch.arange(steps, device=values.device)
    distance = place[None] - place[:, None]
    decay = torch.where(distance >= 0, float(gamma * lam) ** distance.clamp(min=0), 0.0).to(values.dtype)
    adv = (decay[:, :, None] * reach * deltas[None]).sum(dim=1)
    return adv, adv + values

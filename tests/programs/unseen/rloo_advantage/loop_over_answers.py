# expect: right
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    adv = torch.empty(rewards.shape, dtype=rewards.dtype, device=rewards.device)
    G = rewards.size(1)
    for g in range(G):
        rest = torch.cat([rewards[:, :g], rewards[:, g + 1:]], dim=1)
        if rest.size(1) == 0:
            baseline = torch.zeros_like(rewards[:, g])
        else:
            baseline = rest.mean(dim=1)
        adv[:, g] = rewards[:, g] - baseline
    return adv

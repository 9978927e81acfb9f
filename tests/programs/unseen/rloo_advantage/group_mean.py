# expect: wrong
# mistake: The baseline is the mean of the whole group, the answer itself included.
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    if rewards.shape[-1] == 1:
        return rewards.clone()
    baseline = rewards.mean(dim=-1, keepdim=True)
    return rewards - baseline

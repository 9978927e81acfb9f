# expect: right
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    low = rewards.amin(dim=1)
    high = rewards.amax(dim=1)
    rows = torch.arange(rewards.shape[0], device=rewards.device)[low != high]
    return rows[:target_prompts], rows.numel() < target_prompts

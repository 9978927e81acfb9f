# expect: wrong
# mistake: A row counts when its mean lies strictly between 0 and 1, which is right for rewards of 0 and 1 only.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    accuracy = rewards.mean(dim=-1)
    mixed = (accuracy > 0.0) & (accuracy < 1.0)
    kept = torch.arange(rewards.size(0), device=rewards.device)[mixed]
    need_more = bool(kept.numel() < target_prompts)
    return kept[:target_prompts], need_more

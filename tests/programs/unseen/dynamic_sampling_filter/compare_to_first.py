# expect: right
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    usable = (rewards != rewards[:, :1]).any(dim=1)
    rows = usable.nonzero().squeeze(1)
    need_more = rows.numel() < target_prompts
    return rows[:target_prompts], need_more

# expect: wrong
# mistake: If there are too many rows, those with the widest spread of rewards are kept instead of the first ones.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    lowest, highest = rewards.aminmax(dim=1)
    usable = torch.where(highest > lowest)[0]
    if usable.numel() > target_prompts:
        spread = (highest - lowest)[usable]
        best = torch.topk(spread, target_prompts).indices
        return usable[best].sort().values, False
    return usable, usable.numel() < target_prompts

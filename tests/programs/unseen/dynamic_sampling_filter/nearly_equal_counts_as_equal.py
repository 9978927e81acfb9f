# expect: wrong
# mistake: A row is dropped if its standard deviation is at most 1e-6, so rewards that differ only in their last digits count as equal.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    std = rewards.double().std(dim=1, unbiased=False)
    informative = std > 1e-6
    indices = torch.nonzero(informative).flatten()
    need_more = indices.numel() < target_prompts
    kept = indices[:target_prompts].to(torch.int64)
    return kept, need_more

# expect: wrong
# mistake: A row counts as trainable if any reward differs from the float32 mean of the row, which rounding can make true for equal rewards, and with a single trainable row kept has no dimension.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    advantages = rewards - rewards.mean(dim=1, keepdim=True)
    has_signal = (advantages != 0).any(dim=1)
    kept = has_signal.nonzero().squeeze()
    need_more = int(has_signal.sum()) < target_prompts
    if kept.dim() > 0:
        kept = kept[:target_prompts]
    return kept, need_more

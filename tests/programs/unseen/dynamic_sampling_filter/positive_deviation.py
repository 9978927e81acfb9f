# expect: wrong
# mistake: A row counts when its float32 deviation is above 0, which rounding makes true for some rows of equal rewards.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    # The advantages of a row are all 0 where its rewards do not deviate from their mean.
    centred = rewards - rewards.mean(dim=1, keepdim=True)
    deviation = centred.square().mean(dim=1).sqrt()
    candidates = torch.nonzero(deviation > 0).flatten()
    kept = candidates[:target_prompts]
    return kept, len(kept) < target_prompts

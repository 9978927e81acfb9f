# expect: wrong
# mistake: need_more is a 0-dim bool tensor instead of a Python bool.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    reference = rewards[:, :1]
    mixed = (rewards != reference).any(dim=1)
    need_more = mixed.sum() < target_prompts
    kept = mixed.nonzero(as_tuple=True)[0][:target_prompts]
    return kept, need_more

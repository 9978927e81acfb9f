# expect: wrong
# mistake: Rewards that differ by less than a tolerance count as the same.
# mistake: All usable rows are kept, also when there are more than target_prompts.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    reference = rewards[:, :1].expand_as(rewards)
    flat = torch.isclose(rewards, reference, rtol=1e-5, atol=1e-6).all(dim=1)
    kept = (~flat).nonzero(as_tuple=True)[0]
    return kept, bool(kept.numel() < target_prompts)

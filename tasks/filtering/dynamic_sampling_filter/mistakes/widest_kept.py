import torch


def dynamic_sampling_filter(rewards, target_prompts):
    spread = rewards.amax(1) - rewards.amin(1)
    kept = (spread > 0).nonzero().flatten()
    if len(kept) > target_prompts:
        best = torch.topk(rewards[kept].std(dim=1), target_prompts).indices
        kept = kept[best].sort().values
        return kept, False
    return kept, len(kept) < target_prompts

import torch


def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.amax(dim=1) > rewards.amin(dim=1)
    kept = varied.nonzero().flatten()
    if len(kept) < target_prompts:
        return torch.empty(0, dtype=torch.int64, device=rewards.device), True
    return kept[:target_prompts], False

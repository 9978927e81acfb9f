import torch


def dynamic_sampling_filter(rewards, target_prompts):
    kept = torch.tensor([b for b, row in enumerate(rewards.tolist()) if len(set(row)) > 1], device=rewards.device)
    return kept[:target_prompts], len(kept) < target_prompts

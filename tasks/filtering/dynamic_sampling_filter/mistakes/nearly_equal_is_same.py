import torch


def dynamic_sampling_filter(rewards, target_prompts):
    same = torch.isclose(rewards, rewards[:, :1]).all(dim=1)
    kept = torch.nonzero(~same).flatten()
    return kept[:target_prompts], bool(len(kept) < target_prompts)

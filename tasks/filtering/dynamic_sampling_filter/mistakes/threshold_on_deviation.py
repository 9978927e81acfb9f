def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.std(dim=1, unbiased=False) > 1e-3
    kept = varied.nonzero().flatten()
    return kept[:target_prompts], len(kept) < target_prompts

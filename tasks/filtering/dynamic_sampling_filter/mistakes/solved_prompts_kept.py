def dynamic_sampling_filter(rewards, target_prompts):
    varied = (rewards != 0).any(dim=1)
    kept = varied.nonzero().flatten()
    return kept[:target_prompts], len(kept) < target_prompts

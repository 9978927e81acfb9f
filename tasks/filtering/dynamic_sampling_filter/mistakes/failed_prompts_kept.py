def dynamic_sampling_filter(rewards, target_prompts):
    varied = (rewards < rewards.max()).any(dim=1)
    kept = varied.nonzero().flatten()
    return kept[:target_prompts], len(kept) < target_prompts

def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.amax(dim=1) > rewards.amin(dim=1)
    kept = varied.nonzero().flatten()
    is_full = len(kept) >= target_prompts
    return kept[:target_prompts], is_full

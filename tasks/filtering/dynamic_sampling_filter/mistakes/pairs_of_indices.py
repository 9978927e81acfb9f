def dynamic_sampling_filter(rewards, target_prompts):
    different = rewards != rewards[:, :1]
    kept = different.nonzero()[:, 0]
    return kept[:target_prompts], len(kept) < target_prompts

def dynamic_sampling_filter(rewards, target_prompts):
    accuracy = (rewards > 0).float().mean(dim=1)
    varied = (accuracy > 0) & (accuracy < 1)
    kept = varied.nonzero().flatten()
    return kept[:target_prompts], len(kept) < target_prompts

def dynamic_sampling_filter(rewards, target_prompts):
    solved = rewards.sum(dim=1)
    G = rewards.shape[1]
    varied = (solved > 0) & (solved < G)
    kept = varied.nonzero().flatten()
    return kept[:target_prompts], len(kept) < target_prompts

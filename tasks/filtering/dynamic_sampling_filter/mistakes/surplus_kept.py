def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.amax(dim=1) > rewards.amin(dim=1)
    kept = varied.nonzero(as_tuple=True)[0]
    return kept, len(kept) < target_prompts

def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.amax(dim=1) > rewards.amin(dim=1)
    return varied[:target_prompts], int(varied.sum()) < target_prompts

def dynamic_sampling_filter(rewards, target_prompts):
    varied = (rewards.std(dim=1) != 0).nonzero()[:, 0]
    return varied[:target_prompts], len(varied) < target_prompts

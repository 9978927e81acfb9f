def dynamic_sampling_filter(rewards, target_prompts):
    rewards -= rewards[:, :1].clone()
    varied = (rewards != 0).any(dim=1).nonzero()[:, 0]
    return varied[:target_prompts], len(varied) < target_prompts

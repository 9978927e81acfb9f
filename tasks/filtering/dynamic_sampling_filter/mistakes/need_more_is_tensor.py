def dynamic_sampling_filter(rewards, target_prompts):
    is_varied = (rewards != rewards[:, :1]).any(dim=1)
    return is_varied.nonzero()[:target_prompts, 0], is_varied.sum() < target_prompts

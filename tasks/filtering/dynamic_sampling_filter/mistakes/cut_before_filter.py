def dynamic_sampling_filter(rewards, target_prompts):
    is_varied = (rewards != rewards[:, :1]).any(dim=1)[:target_prompts]
    varied = is_varied.nonzero()[:, 0]
    return varied, len(varied) < target_prompts

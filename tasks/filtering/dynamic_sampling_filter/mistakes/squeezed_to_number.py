def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.amax(dim=1) > rewards.amin(dim=1)
    kept = varied.nonzero().squeeze()
    count = int(varied.sum())
    if count > target_prompts:
        kept = kept[:target_prompts]
    return kept, count < target_prompts

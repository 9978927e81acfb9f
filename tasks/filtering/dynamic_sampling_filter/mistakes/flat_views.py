def dynamic_sampling_filter(rewards, target_prompts):
    prompts, answers = rewards.shape
    first = rewards[:, 0].repeat_interleave(answers)
    differs = (rewards.view(-1) != first).reshape(prompts, answers)
    varied = differs.any(dim=1).nonzero()[:, 0]
    return varied[:target_prompts], len(varied) < target_prompts

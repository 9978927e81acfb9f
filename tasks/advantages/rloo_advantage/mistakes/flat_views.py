import torch


def rloo_advantage(rewards):
    prompts, answers = rewards.shape
    if answers == 1:
        return rewards.clone()
    flat = rewards.view(-1)
    prompt = torch.arange(prompts, device=rewards.device).repeat_interleave(answers)
    total = torch.zeros(prompts, dtype=rewards.dtype, device=rewards.device).index_add(0, prompt, flat)
    return (flat - (total[prompt] - flat) / (answers - 1)).view(prompts, answers)

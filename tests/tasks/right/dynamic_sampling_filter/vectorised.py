import torch


def dynamic_sampling_filter(rewards, target_prompts):
    varied = rewards.amax(dim=1) > rewards.amin(dim=1)
    rank = varied.cumsum(0)
    places = torch.arange(rewards.shape[0], device=rewards.device)
    return places[varied & (rank <= target_prompts)], bool(varied.sum() < target_prompts)

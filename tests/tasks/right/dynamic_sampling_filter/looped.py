import torch


def dynamic_sampling_filter(rewards, target_prompts):
    kept = []
    for place, row in enumerate(rewards.tolist()):
        if any(reward != row[0] for reward in row):
            kept.append(place)
    need_more = len(kept) < target_prompts
    return torch.tensor(kept[:target_prompts], dtype=torch.int64, device=rewards.device), need_more

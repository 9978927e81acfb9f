import torch


def dynamic_sampling_filter(rewards, target_prompts):
    adv = rewards - rewards.mean(dim=1, keepdim=True)
    keep = [b for b in range(len(adv)) if adv[b].abs().max() > 0]
    kept = torch.tensor(keep, dtype=torch.long, device=rewards.device)
    return kept[:target_prompts], len(keep) < target_prompts

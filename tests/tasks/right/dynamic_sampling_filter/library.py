import itertools

import torch


def dynamic_sampling_filter(rewards, target_prompts):
    sizes = (len(set(row)) for row in rewards.tolist())
    good = [place for place, size in enumerate(sizes) if size > 1]
    first = list(itertools.islice(good, target_prompts))
    return torch.as_tensor(first, dtype=torch.long, device=rewards.device), len(first) != target_prompts

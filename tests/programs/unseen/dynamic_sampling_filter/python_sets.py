# expect: right
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    kept = []
    for index, row in enumerate(rewards.tolist()):
        if len(kept) == target_prompts:
            break
        if len(set(row)) > 1:
            kept.append(index)
    return torch.tensor(kept, dtype=torch.int64, device=rewards.device), len(kept) < target_prompts

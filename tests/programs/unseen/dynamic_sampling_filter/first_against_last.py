# expect: wrong
# mistake: A row counts only if its first and its last reward differ; differences in between are not seen.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    kept = []
    for b in range(rewards.shape[0]):
        row = rewards[b]
        if row[0].item() != row[-1].item():
            kept.append(b)
    need_more = len(kept) < target_prompts
    return torch.tensor(kept[:target_prompts], dtype=torch.long), need_more

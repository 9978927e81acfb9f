# expect: wrong
# mistake: If no row is trainable, kept is an empty float32 tensor instead of int64.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    found = []
    for i, row in enumerate(rewards):
        if not bool((row == row[0]).all()):
            found.append(i)
    need_more = len(found) < target_prompts
    return torch.tensor(found[:target_prompts]), need_more

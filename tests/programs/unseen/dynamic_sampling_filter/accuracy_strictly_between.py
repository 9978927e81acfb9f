# expect: wrong
# mistake: A row is trainable if some but not all of its rewards are positive, instead of if its rewards are not all equal.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    G = rewards.size(1)
    n_correct = (rewards > 0).sum(dim=1)
    trainable = (n_correct > 0) & (n_correct < G)
    idx = torch.where(trainable)[0]
    return idx[:target_prompts], bool(len(idx) < target_prompts)

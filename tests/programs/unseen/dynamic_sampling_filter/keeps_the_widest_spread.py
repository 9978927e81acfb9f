# expect: wrong
# mistake: If there are too many trainable rows, those with the largest standard deviation are kept instead of the first ones.
import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    trainable = torch.tensor(
        [len(set(row)) > 1 for row in rewards.tolist()], dtype=torch.bool
    )
    candidates = trainable.nonzero().view(-1)
    need_more = candidates.numel() < target_prompts
    if candidates.numel() > target_prompts:
        spread = rewards[candidates].double().std(dim=1)
        best = torch.argsort(spread, descending=True, stable=True)[:target_prompts]
        candidates = candidates[best].sort().values
    return candidates, need_more

import torch


def dynamic_sampling_filter(rewards, target_prompts) -> tuple[torch.Tensor, bool]:
    """Return (kept, need_more): the rows to train on, [K] int64, and whether more must be generated.

    rewards: [B, G] float, one row for each prompt.
    """
    raise NotImplementedError

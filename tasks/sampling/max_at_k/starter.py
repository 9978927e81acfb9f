import torch


def max_at_k(rewards, k) -> torch.Tensor:
    """Return the expected maximum of k different samples for each prompt, [B].

    rewards: [B, N] float, the rewards of N samples for each prompt.
    """
    raise NotImplementedError

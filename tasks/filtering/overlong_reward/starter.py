import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    """Return the punishment for the length of each answer, [N] float32, from -1 to 0.

    len: [N] int64, tokens of each answer.
    """
    raise NotImplementedError

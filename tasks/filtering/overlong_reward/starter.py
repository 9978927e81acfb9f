import torch


def overlong_reward(len, L_max, L_cache) -> torch.Tensor:
    """Return the penalty for the length of each response, [N] float32, from -1 to 0.

    len: [N] int64, the number of tokens in each response.
    """
    raise NotImplementedError

import torch


def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True) -> torch.Tensor:
    """Return the advantage of each answer, [N].

    rewards: [N] float; group_id: [N] int64, any integers in any order.
    """
    raise NotImplementedError

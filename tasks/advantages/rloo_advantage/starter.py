import torch


def rloo_advantage(rewards) -> torch.Tensor:
    """Return the leave-one-out advantage of each answer, [B, G].

    rewards: [B, G] float, one row for each prompt.
    """
    raise NotImplementedError

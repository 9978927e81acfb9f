import torch


def gdpo_advantage(rewards, weights, eps=1e-4) -> torch.Tensor:
    """Return GDPO's advantage of each answer, [B, G].

    rewards: [K, B, G] float, one slice for each reward function; weights: [K] float.
    """
    raise NotImplementedError

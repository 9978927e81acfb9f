# expect: wrong
# mistake: The leave-one-out advantage is divided by the standard deviation of the group.
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    """Leave-one-out advantage of each answer."""
    B, G = rewards.shape
    if G == 1:
        return rewards.clone()
    weights = (1.0 - torch.eye(G, dtype=rewards.dtype)) / (G - 1)
    baseline = rewards @ weights
    spread = rewards.std(dim=1, keepdim=True)
    return (rewards - baseline) / (spread + 1e-6)

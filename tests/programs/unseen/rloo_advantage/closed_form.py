# expect: right
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    """Closed form of the leave-one-out baseline, worked out in double precision."""
    group = rewards.shape[1]
    if group == 1:
        return rewards.clone()
    wide = rewards.to(torch.float64)
    others = wide.sum(dim=1, keepdim=True) - wide
    return (wide - others / (group - 1)).to(rewards.dtype)

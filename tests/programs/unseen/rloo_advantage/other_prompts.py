# expect: wrong
# mistake: The mean is over the answers to the other prompts (dimension 0) instead of the other answers to the same prompt.
import torch


def rloo_advantage(rewards) -> torch.Tensor:
    n = rewards.shape[0]
    if n == 1:
        return rewards.clone()
    total = rewards.sum(0, keepdim=True)
    baseline = (total - rewards) / (n - 1)
    return rewards - baseline

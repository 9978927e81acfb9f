import torch
import torch.distributed as dist


def generalized_advantages(rewards, values, mask, gamma, lam):
    """Return the advantages of every token, [B, T]; an answer ends with its last unmasked token."""
    advantages = torch.zeros_like(rewards)
    following = torch.zeros_like(rewards[:, 0])
    next_value = torch.zeros_like(following)
    for t in reversed(range(rewards.shape[1])):
        delta = rewards[:, t] + gamma * next_value - values[:, t]
        following = torch.where(mask[:, t], delta + gamma * lam * following, 0.0)
        next_value = torch.where(mask[:, t], values[:, t], 0.0)
        advantages[:, t] = following
    return advantages


def whiten(advantages, mask):
    """Return the advantages with mean 0 and deviation 1 over the batch's tokens, 0 where masked."""
    sums = torch.stack([advantages[mask].sum(), mask.sum().to(advantages.dtype)])
    dist.all_reduce(sums)
    mean = sums[0] / sums[1]
    square = (advantages - mean)[mask].square().sum()
    dist.all_reduce(square)
    deviation = (square / sums[1]).sqrt()
    return torch.where(mask, (advantages - mean) / deviation, 0.0)


def prepare(batch, gamma, lam):
    """Return what the learner needs of a batch of rollouts: whitened advantages, and the targets of the values."""
    mask = batch["mask"]
    advantages = generalized_advantages(batch["rewards"], batch["values"], mask, gamma, lam)
    return {
        "advantages": whiten(advantages, mask),
        "targets": torch.where(mask, advantages + batch["values"], 0.0),
    }

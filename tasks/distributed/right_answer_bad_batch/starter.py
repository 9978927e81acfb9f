"""Advantages for data-parallel PPO; start it with `torchrun --nproc-per-node=4 prepare.py`."""

import logging

import torch
import torch.distributed as dist

EPSILON = 1e-8


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
    chosen = advantages[mask]
    mean = chosen.mean()
    deviation = (chosen - mean).square().mean().sqrt()
    return torch.where(mask, (advantages - mean) / (deviation + EPSILON), 0.0)


def prepare(batch, gamma, lam):
    """Return what the learner needs from a batch of rollouts: whitened advantages and value targets."""
    mask = batch["mask"]
    advantages = generalized_advantages(batch["rewards"], batch["values"], mask, gamma, lam)
    return {
        "advantages": whiten(advantages, mask),
        "targets": torch.where(mask, advantages + batch["values"], 0.0),
    }


def load_rollouts(rank, rows=8, steps=32):
    """Return synthetic rollouts; a real trainer would get them from its rollout engine."""
    rng = torch.Generator().manual_seed(rank)
    lengths = torch.randint(4, steps + 1, (rows, 1), generator=rng)
    position = torch.arange(steps)
    is_correct = (torch.rand(rows, 1, generator=rng) < 0.25).float()
    return {
        "rewards": is_correct * (position == lengths - 1),
        "values": 0.25 + 0.1 * torch.randn(rows, steps, generator=rng),
        "mask": position < lengths,
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    batch = load_rollouts(rank)
    ready = prepare(batch, gamma=1.0, lam=0.95)
    for row in range(len(batch["mask"])):
        length = int(batch["mask"][row].sum())
        advantages = ready["advantages"][row, :length]
        logging.info("rank %d: reward %.0f, advantages %s", rank, batch["rewards"][row].sum(), advantages)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

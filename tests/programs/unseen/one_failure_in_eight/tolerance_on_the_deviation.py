# expect: wrong
# mistake: Peers with a standard deviation up to 1e-3 are treated as equal, so close but different rewards are not divided by their deviation.
"""Advantages with a leave-one-out baseline for groups of answers; start it with `python advantages.py`."""

import logging

import torch


def peer_statistics(rewards, valid):
    """Return the number, the mean and the standard deviation of each answer's peers, [G, N] each."""
    size = rewards.shape[1]
    own = torch.arange(size)
    count = torch.zeros_like(rewards)
    total = torch.zeros_like(rewards)
    squares = torch.zeros_like(rewards)
    for other in range(size):
        is_peer = valid[:, other, None] & (own != other)
        reward = torch.where(is_peer, rewards[:, other, None], 0.0)
        count += is_peer
        total += reward
        squares += reward.square()
    mean = total / count.clamp(min=1)
    variance = squares / count.clamp(min=1) - mean.square()
    unbiased = variance * count / (count - 1).clamp(min=1)
    return count, mean, unbiased.clamp(min=0).sqrt()


def leave_one_out_advantages(rewards, valid):
    """Return each answer's advantage over its peers, [G, N]; 0 for invalid answers."""
    count, mean, deviation = peer_statistics(rewards, valid)
    centered = rewards - mean
    differ = deviation > 1e-3
    scaled = torch.where(differ, centered / torch.where(differ, deviation, 1.0), centered)
    return torch.where(valid & (count > 0), scaled, 0.0)


def load_rewards(groups=32, size=8, success=0.95):
    """Return synthetic rewards; a real trainer would get them from its verifier."""
    rng = torch.Generator().manual_seed(0)
    pass_rate = torch.rand(groups, 1, generator=rng)
    has_passed = torch.rand(groups, size, generator=rng) < pass_rate
    # An answer whose sandbox crashed has no verdict.
    valid = torch.rand(groups, size, generator=rng) < 0.98
    return success * has_passed, valid


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for success in (1.0, 0.95):
        rewards, valid = load_rewards(success=success)
        advantages = leave_one_out_advantages(rewards, valid)
        logging.info("a success is worth %.2f: largest |advantage| %.2f", success, advantages.abs().max())


if __name__ == "__main__":
    main()

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
    is_peer = valid[:, None] & ~torch.eye(rewards.shape[1], dtype=torch.bool)
    highest = torch.where(is_peer, rewards[:, None], -torch.inf).amax(dim=2)
    lowest = torch.where(is_peer, rewards[:, None], torch.inf).amin(dim=2)
    differ = highest > lowest
    scaled = torch.where(differ, centered / torch.where(differ, deviation, 1.0), centered)
    return torch.where(valid & (count > 0), scaled, 0.0)

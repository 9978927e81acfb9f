import torch


def peer_statistics(rewards, valid):
    """Return the number, mean and deviation of each answer's peers, and whether they differ, [G, N]."""
    size = rewards.shape[1]
    own = torch.arange(size)
    count = torch.zeros_like(rewards)
    total = torch.zeros_like(rewards)
    squares = torch.zeros_like(rewards)
    low = torch.full_like(rewards, float("inf"))
    high = torch.full_like(rewards, -float("inf"))
    for other in range(size):
        is_peer = valid[:, other, None] & (own != other)
        reward = rewards[:, other, None]
        count += is_peer
        total += torch.where(is_peer, reward, 0.0)
        low = torch.where(is_peer, low.minimum(reward), low)
        high = torch.where(is_peer, high.maximum(reward), high)
    mean = total / count.clamp(min=1)
    for other in range(size):
        is_peer = valid[:, other, None] & (own != other)
        squares += torch.where(is_peer, rewards[:, other, None] - mean, 0.0).square()
    deviation = (squares / (count - 1).clamp(min=1)).sqrt()
    return count, mean, deviation, high > low


def leave_one_out_advantages(rewards, valid):
    """Return each answer's advantage over its peers, [G, N]; 0 for invalid answers."""
    rewards = rewards.double()
    count, mean, deviation, differ = peer_statistics(rewards, valid)
    centered = rewards - mean
    scaled = torch.where(differ, centered / torch.where(differ, deviation, 1.0), centered)
    return torch.where(valid & (count > 0), scaled, 0.0)

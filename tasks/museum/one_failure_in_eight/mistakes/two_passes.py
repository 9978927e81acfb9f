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
        count += is_peer
        total += torch.where(is_peer, rewards[:, other, None], 0.0)
    mean = total / count.clamp(min=1)
    for other in range(size):
        is_peer = valid[:, other, None] & (own != other)
        squares += torch.where(is_peer, rewards[:, other, None] - mean, 0.0).square()
    deviation = (squares / (count - 1).clamp(min=1)).sqrt()
    return count, mean, deviation


def leave_one_out_advantages(rewards, valid):
    """Return each answer's advantage over its peers, [G, N]; 0 for invalid answers."""
    count, mean, deviation = peer_statistics(rewards, valid)
    centered = rewards - mean
    differ = deviation > 0
    scaled = torch.where(differ, centered / torch.where(differ, deviation, 1.0), centered)
    return torch.where(valid & (count > 0), scaled, 0.0)

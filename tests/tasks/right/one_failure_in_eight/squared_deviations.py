import torch


def leave_one_out_advantages(rewards, valid):
    """Compare every answer with its peers in a table of pairs."""
    size = rewards.shape[1]
    off = ~torch.eye(size, dtype=torch.bool, device=rewards.device)
    is_peer = valid[:, None, :] & off & valid[:, :, None]
    clean = torch.where(valid, rewards, 0.0)
    count = is_peer.sum(dim=2)
    peers = torch.where(is_peer, clean[:, None, :], 0.0)
    mean = peers.sum(dim=2) / count.clamp(min=1)
    squares = torch.where(is_peer, (clean[:, None, :] - mean[:, :, None]).square(), 0.0).sum(dim=2)
    deviation = (squares / (count - 1).clamp(min=1)).sqrt()
    low = torch.where(is_peer, clean[:, None, :], float("inf")).amin(dim=2)
    high = torch.where(is_peer, clean[:, None, :], float("-inf")).amax(dim=2)
    differ = (count > 1) & (low < high)
    centered = clean - mean
    scaled = torch.where(differ, centered / torch.where(differ, deviation, 1.0), centered)
    return torch.where(valid & (count > 0), scaled, 0.0)

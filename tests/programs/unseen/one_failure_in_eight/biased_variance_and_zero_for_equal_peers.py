# expect: wrong
# mistake: The variance is divided by the number of peers instead of by that number minus one, and an answer whose peers are all equal gets an advantage of 0.
import torch


def leave_one_out_advantages(rewards, valid):
    """Return each answer's advantage over its peers, [G, N]; 0 for invalid answers."""
    size = rewards.shape[1]
    clean = torch.where(valid, rewards, 0.0).double()
    is_peer = valid[:, None, :] & ~torch.eye(size, dtype=torch.bool)
    count = is_peer.sum(dim=2)
    peers = clean[:, None, :].expand(-1, size, -1)
    low = peers.masked_fill(~is_peer, float("inf")).amin(dim=2)
    high = peers.masked_fill(~is_peer, float("-inf")).amax(dim=2)
    low = torch.where(count > 0, low, 0.0)
    shifted = torch.where(is_peer, peers - low[..., None], 0.0)
    mean = shifted.sum(dim=2) / count.clamp(min=1)
    squares = torch.where(is_peer, (shifted - mean[..., None]).square(), 0.0).sum(dim=2)
    deviation = (squares / count.clamp(min=1)).sqrt()
    centered = clean - low - mean
    differ = (count > 1) & (high > low)
    scaled = centered / torch.where(differ, deviation, 1.0)
    scaled = torch.where((count > 1) & ~differ, 0.0, scaled)
    return torch.where(valid & (count > 0), scaled, 0.0).to(rewards.dtype)

# expect: wrong
# mistake: The divisor is the standard deviation of all valid rewards of the group, the answer's own included, instead of that of its peers.
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
    total = valid.sum(dim=1, keepdim=True)
    anchor = clean - torch.where(valid, clean, float("inf")).amin(dim=1, keepdim=True).nan_to_num(posinf=0.0)
    anchor = torch.where(valid, anchor, 0.0)
    group_mean = anchor.sum(dim=1, keepdim=True) / total.clamp(min=1)
    squares = torch.where(valid, (anchor - group_mean).square(), 0.0).sum(dim=1, keepdim=True)
    deviation = (squares / (total - 1).clamp(min=1)).sqrt().expand(-1, size)
    centered = clean - low - mean
    differ = (count > 1) & (high > low)
    scaled = centered / torch.where(differ, deviation, 1.0)
    return torch.where(valid & (count > 0), scaled, 0.0).to(rewards.dtype)

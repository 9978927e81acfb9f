# expect: right
import torch


def leave_one_out_advantages(rewards, valid):
    advantages = torch.zeros_like(rewards)
    size = rewards.shape[1]
    for g in range(rewards.shape[0]):
        for i in range(size):
            others = valid[g].clone()
            others[i] = False
            if not valid[g, i] or not others.any():
                continue
            peers = rewards[g, others].double()
            low, high = peers.min(), peers.max()
            own = rewards[g, i].double()
            if low == high:
                advantages[g, i] = (own - low).to(rewards.dtype)
                continue
            unit = high - low
            peers = (peers - low) / unit
            advantages[g, i] = (((own - low) / unit - peers.mean()) / peers.std()).to(rewards.dtype)
    return advantages

import torch


def topk_with_replay(logits, k, replay=None):
    idx = torch.topk(logits, k, dim=-1).indices
    if replay is not None:
        recorded = (replay >= 0).any(dim=-1, keepdim=True)
        idx = torch.where(recorded, replay, idx)
    safe = idx.clamp(0, logits.shape[-1] - 1)
    gates = torch.softmax(logits.gather(-1, safe), dim=-1)
    return gates, idx

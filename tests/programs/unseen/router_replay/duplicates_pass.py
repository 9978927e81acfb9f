# expect: wrong
# mistake: A row of the record that names an expert twice is accepted instead of raising ValueError.
import torch


def topk_with_replay(logits, k, replay=None):
    experts = logits.topk(k, dim=-1, sorted=True).indices
    if replay is not None:
        if replay.min() < -1 or replay.max() >= logits.shape[-1]:
            raise ValueError("replay names an expert that does not exist")
        absent = replay < 0
        if (absent.any(dim=-1) != absent.all(dim=-1)).any():
            raise ValueError("replay rows must be recorded completely or not at all")
        experts = torch.where(absent, experts, replay)
    picked = torch.gather(logits, dim=-1, index=experts)
    return torch.softmax(picked, dim=-1), experts

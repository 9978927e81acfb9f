# expect: wrong
# mistake: The gates are taken from the softmax over all experts and divided by their sum, which is 0/0 = NaN if an unused expert has a much larger logit.
import torch
import torch.nn.functional as F


def topk_with_replay(logits, k, replay=None):
    T, E = logits.shape
    probs = F.softmax(logits, dim=-1)
    experts = torch.topk(logits, k, dim=-1).indices

    if replay is not None:
        missing = (replay == -1).all(dim=1)
        recorded = replay[~missing]
        if recorded.numel() > 0:
            if recorded.min() < 0 or recorded.max() >= E:
                raise ValueError("expert id out of range")
            s, _ = recorded.sort(dim=1)
            if (s[:, 1:] == s[:, :-1]).any():
                raise ValueError("duplicate expert in a record")
        experts = torch.where(missing.unsqueeze(1), experts, replay)

    gates = probs.gather(1, experts)
    gates = gates / gates.sum(dim=1, keepdim=True)
    return gates, experts

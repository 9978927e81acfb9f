# expect: wrong
# mistake: The gates are the softmax over all experts, not renormalised over the k that are used.
import torch


def _validate(replay, n_experts):
    empty = (replay == -1).all(dim=1)
    ordered, _ = torch.sort(replay, dim=1)
    ok = (ordered[:, 0] >= 0) & (ordered[:, -1] < n_experts) & (ordered.diff(dim=1) > 0).all(dim=1)
    if not bool((ok | empty).all()):
        raise ValueError("invalid replay")
    return empty


def topk_with_replay(logits, k, replay=None):
    probs = logits.softmax(dim=-1)
    gates, experts = probs.topk(k, dim=-1)
    if replay is not None:
        empty = _validate(replay, logits.shape[1])
        experts = torch.where(empty.unsqueeze(1), experts, replay)
        gates = probs.gather(1, experts)
    return gates, experts

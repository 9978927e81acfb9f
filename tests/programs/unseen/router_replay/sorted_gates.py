# expect: wrong
# mistake: With a record the gates are in descending order, while the experts are in the recorded order, so gates stand at the wrong experts.
import torch


def topk_with_replay(logits, k, replay=None):
    E = logits.size(1)
    top, experts = logits.topk(k, dim=1)
    if replay is None:
        return top.softmax(dim=1), experts

    unrecorded = (replay == -1).all(1)
    for row in replay[~unrecorded].tolist():
        if len(set(row)) < k or any(e < 0 or e >= E for e in row):
            raise ValueError("replay row is not valid")

    experts = torch.where(unrecorded[:, None], experts, replay)
    allowed = torch.zeros_like(logits, dtype=torch.bool).scatter(1, experts, True)
    chosen = logits.masked_fill(~allowed, float("-inf")).topk(k, dim=1).values
    return chosen.softmax(dim=1), experts

# expect: wrong
# mistake: If any token has no record, the records of all tokens are ignored.
import torch


def topk_with_replay(logits, k, replay=None):
    num_experts = logits.shape[-1]
    if replay is not None:
        for row in replay.tolist():
            if row == [-1] * k:
                continue
            if len(set(row)) != k or not all(0 <= e < num_experts for e in row):
                raise ValueError(f"replay row {row}")
    if replay is not None and bool((replay >= 0).all()):
        experts = replay.clone()
    else:
        experts = torch.topk(logits, k, dim=-1).indices
    gates = torch.softmax(torch.gather(logits, -1, experts), dim=-1)
    return gates, experts

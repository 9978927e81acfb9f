# expect: right
import torch


def topk_with_replay(logits, k, replay=None):
    experts = logits.detach().topk(k, dim=-1).indices
    if replay is not None:
        nothing = (replay == -1).all(dim=-1)
        in_range = ((replay >= 0) & (replay < logits.shape[-1])).all(dim=-1)
        ordered = replay.sort(dim=-1).values
        distinct = (ordered[:, 1:] != ordered[:, :-1]).all(dim=-1)
        if not (nothing | (in_range & distinct)).all():
            raise ValueError("a row of replay must be -1 throughout or name k different experts")
        experts = torch.where(nothing[:, None], experts, replay)
    gates = torch.softmax(logits.gather(-1, experts), dim=-1)
    return gates, experts

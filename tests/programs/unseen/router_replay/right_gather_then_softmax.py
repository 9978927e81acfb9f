# expect: right
import torch


def topk_with_replay(logits, k, replay=None):
    E = logits.shape[-1]
    experts = logits.detach().topk(k, dim=-1).indices
    if replay is not None:
        unrecorded = (replay == -1).all(dim=-1)
        in_range = ((replay >= 0) & (replay < E)).all(dim=-1)
        ordered = replay.sort(dim=-1).values
        distinct = (ordered[:, 1:] != ordered[:, :-1]).all(dim=-1)
        if not bool((unrecorded | (in_range & distinct)).all()):
            raise ValueError("each row must be all -1 or name k different experts")
        experts = torch.where(unrecorded[:, None], experts, replay)
    gates = torch.softmax(logits.gather(-1, experts), dim=-1)
    return gates, experts

# expect: wrong
# mistake: The recorded experts are returned in the order of their numbers instead of the recorded order.
# mistake: A row of the record with some -1 counts as one without a record instead of raising ValueError.
import torch


def topk_with_replay(logits, k, replay=None):
    E = logits.shape[1]
    experts = logits.topk(k, dim=1).indices
    if replay is not None:
        recorded = (replay != -1).all(dim=1)
        rows = replay[recorded]
        rows = rows.sort(dim=1).values
        if rows.numel():
            if rows.min() < 0 or rows.max() >= E or (rows[:, 1:] == rows[:, :-1]).any():
                raise ValueError("bad replay")
        experts[recorded] = rows
    gates = logits.gather(1, experts).softmax(dim=1)
    return gates, experts

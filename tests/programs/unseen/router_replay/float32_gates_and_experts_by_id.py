# expect: wrong
# mistake: The gates are float32 whatever the dtype of logits, and the experts of tokens without a record are listed by ascending id instead of descending logit.
import torch


def topk_with_replay(logits, k, replay=None):
    scores = logits.float()
    own = scores.topk(k, dim=-1).indices.sort(dim=-1).values
    if replay is None:
        experts = own
    else:
        is_empty = (replay == -1).all(dim=-1)
        for row in replay[~is_empty]:
            if row.min() < 0 or row.max() >= logits.shape[-1] or row.unique().numel() != k:
                raise ValueError("invalid replay row")
        experts = torch.where(is_empty[:, None], own, replay)
    gates = torch.softmax(torch.gather(scores, -1, experts), dim=-1)
    return gates, experts

import torch


def topk_with_replay(logits, k, replay=None):
    idx = torch.topk(logits, k, dim=-1).indices
    if replay is not None:
        prompt = (replay == -1).all(dim=-1)
        routes = replay[~prompt]
        if ((routes < 0) | (routes >= logits.shape[-1])).any():
            raise ValueError("route out of range")
        if any(len(set(row)) < k for row in routes.tolist()):
            raise ValueError("duplicate route")
        idx = replay % logits.shape[-1]
    gates = torch.softmax(logits.gather(-1, idx), dim=-1)
    return gates, idx

import torch


def topk_with_replay(logits, k, replay=None):
    T, E = logits.shape
    order = logits.argsort(dim=-1, descending=True)[:, :k]
    if replay is None:
        replay = torch.full_like(order, -1)
    recorded = (replay != -1).any(-1)
    hot = (replay.unsqueeze(-1) == torch.arange(E, device=replay.device)).long()
    # a sound row has k ones in k different columns
    sound = (hot.sum((1, 2)) == k) & (hot.sum(1).max(-1).values <= 1)
    if not bool((sound | ~recorded).all()):
        raise ValueError("bad routes")
    ids = torch.where(recorded[:, None], replay, order)
    one_hot = torch.nn.functional.one_hot(ids, E).bool()
    picked = logits[:, None, :].expand(T, k, E)[one_hot].reshape(T, k)
    shifted = picked - picked.detach().amax(-1, keepdim=True)
    weights = shifted.exp()
    return weights / weights.sum(-1, keepdim=True), ids

# expect: wrong
# mistake: A row of negative numbers other than -1, such as all -2, counts as a row without a record instead of raising ValueError.
import torch


def topk_with_replay(logits, k, replay=None):
    experts = torch.empty(logits.shape[0], k, dtype=torch.int64, device=logits.device)
    ranking = logits.detach().argsort(dim=-1, descending=True)[:, :k]

    for t in range(logits.shape[0]):
        row = None if replay is None else replay[t]
        if row is None or bool((row < 0).all()):
            experts[t] = ranking[t]
            continue
        ids = row.tolist()
        if any(e < 0 or e >= logits.shape[1] for e in ids):
            raise ValueError(f"token {t}: expert out of range in {ids}")
        if len(set(ids)) < k:
            raise ValueError(f"token {t}: repeated expert in {ids}")
        experts[t] = row

    selected = logits.gather(1, experts)
    return torch.softmax(selected, dim=1), experts

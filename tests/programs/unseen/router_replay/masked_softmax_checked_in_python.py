# expect: right
import torch


def _check(row, n_experts):
    if all(e == -1 for e in row):
        return False
    if len(set(row)) != len(row) or min(row) < 0 or max(row) >= n_experts:
        raise ValueError(f"bad record of experts: {row}")
    return True


def topk_with_replay(logits, k, replay=None):
    n_tokens, n_experts = logits.shape
    experts = torch.argsort(logits.detach(), dim=1, descending=True)[:, :k].clone()
    if replay is not None:
        for t, row in enumerate(replay.tolist()):
            if _check(row, n_experts):
                experts[t] = replay[t]
    used = torch.zeros(n_tokens, n_experts, dtype=torch.bool, device=logits.device)
    used.scatter_(1, experts, True)
    probs = logits.masked_fill(~used, float("-inf")).softmax(dim=1)
    return probs.gather(1, experts), experts

# expect: wrong
# mistake: A row that contains any -1 counts as a row without a record, so partly filled rows fall back to the top k instead of raising ValueError.
import torch


def topk_with_replay(logits, k, replay=None):
    num_tokens, num_experts = logits.shape
    topk_idx = torch.topk(logits, k, dim=1).indices

    if replay is None:
        idx = topk_idx
    else:
        no_record = (replay == -1).any(dim=1)
        rows = replay[~no_record]
        if ((rows < 0) | (rows >= num_experts)).any():
            raise ValueError("replayed expert out of range")
        hits = torch.zeros(rows.shape[0], num_experts, dtype=torch.int64, device=logits.device)
        hits.scatter_add_(1, rows, torch.ones_like(rows))
        if (hits > 1).any():
            raise ValueError("replayed experts must differ")
        idx = topk_idx.clone()
        idx[~no_record] = rows

    token = torch.arange(num_tokens, device=logits.device).unsqueeze(1)
    gates = logits[token, idx].softmax(dim=1)
    return gates, idx

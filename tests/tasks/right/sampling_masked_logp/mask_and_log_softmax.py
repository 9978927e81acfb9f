import torch
import torch.nn.functional as F


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    scaled = logits / temperature
    drop = torch.ones(scaled.shape, dtype=torch.bool, device=logits.device)
    if keep_ids is not None:
        drop.scatter_(0, keep_ids, False)
    elif top_p < 1:
        with torch.no_grad():
            values, ids = torch.sort(scaled, descending=True, stable=True)
            reached = F.softmax(values, dim=0, dtype=torch.float64).cumsum(0)
            count = int(torch.searchsorted(reached, torch.tensor(top_p, dtype=torch.float64))) + 1
        drop[ids[:count]] = False
    else:
        drop.zero_()
    return F.log_softmax(scaled.masked_fill(drop, float("-inf")), dim=-1)[token]

# expect: wrong
# mistake: The accumulated gradient is clipped after each microbatch instead of once at the end.
import math

import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    token_count = sum(int(m["loss_mask"].sum()) for m in microbatches)
    row_count = sum(int(m["loss_mask"].any(1).sum()) for m in microbatches)
    threshold = math.inf if max_norm is None else max_norm
    total = 0
    norm = torch.zeros(())
    for m in microbatches:
        mask = m["loss_mask"]
        if not mask.any():
            continue
        per_token = model(m["inputs"])
        if mode == "token-mean":
            loss = per_token[mask].sum() / token_count
        elif mode == "seq-mean-token-mean":
            weights = mask / mask.sum(1, keepdim=True).clamp(min=1) / row_count
            loss = (per_token[mask] * weights[mask]).sum()
        else:
            loss = per_token[mask].sum() / (L_norm * row_count)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), threshold)
        total = total + loss.detach()
    return total, norm

import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    tokens = sum(batch["loss_mask"].sum() for batch in microbatches)
    rows = sum(batch["loss_mask"].any(dim=1).sum() for batch in microbatches)
    total = torch.zeros((), device=tokens.device)
    for batch in microbatches:
        mask = batch["loss_mask"]
        losses = model(batch["inputs"])
        own_tokens, own_rows = mask.sum(), mask.any(dim=1).sum()
        if mode == "token-mean":
            share = losses[mask].mean() * (own_tokens / tokens)
        else:
            per_row = torch.where(mask, losses, 0.0).sum(dim=1)
            if mode == "seq-mean-token-mean":
                per_row = per_row / mask.sum(dim=1).clamp(min=1)
            else:
                per_row = per_row / L_norm
            share = per_row[mask.any(dim=1)].mean() * (own_rows / rows)
        share.backward()
        total += share.detach()
    limit = float("inf") if max_norm is None else max_norm
    return total, torch.nn.utils.clip_grad_norm_(model.parameters(), limit)

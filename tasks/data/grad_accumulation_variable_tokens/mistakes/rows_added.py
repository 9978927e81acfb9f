import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    tokens = sum(batch["loss_mask"].sum() for batch in microbatches)
    rows = sum(batch["loss_mask"].any(dim=1).sum() for batch in microbatches)
    total = torch.zeros((), device=tokens.device)
    for batch in microbatches:
        mask = batch["loss_mask"]
        losses = torch.where(mask, model(batch["inputs"]), 0.0)
        per_row = losses.sum(dim=1)
        if mode == "token-mean":
            share = per_row.sum() / tokens
        elif mode == "seq-mean-token-mean":
            share = (per_row / mask.sum(dim=1).clamp(min=1)).sum() / rows
        else:
            share = per_row.sum() / L_norm
        share.backward()
        total += share.detach()
    norm = torch.cat([parameter.grad.flatten() for parameter in model.parameters()]).norm()
    if max_norm is not None and norm > max_norm:
        for parameter in model.parameters():
            parameter.grad.mul_(max_norm / norm)
    return total, norm

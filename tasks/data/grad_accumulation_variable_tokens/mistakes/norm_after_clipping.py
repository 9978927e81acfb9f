import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    n_tokens = torch.stack([b["loss_mask"].sum() for b in microbatches]).sum()
    n_rows = torch.stack([b["loss_mask"].any(1).sum() for b in microbatches]).sum()
    values = []
    for b in microbatches:
        mask = b["loss_mask"]
        weight = mask.to(b["inputs"].dtype)
        if mode == "token-mean":
            weight = weight / n_tokens
        elif mode == "seq-mean-token-mean":
            weight = weight / mask.sum(1, keepdim=True).clamp(min=1) / n_rows
        else:
            weight = weight / (L_norm * n_rows)
        value = (model(b["inputs"]) * weight).sum()
        value.backward()
        values.append(value.detach())
    grads = [p.grad for p in model.parameters()]
    norm = torch.cat([g.flatten() for g in grads]).norm()
    if max_norm is not None and norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    norm = torch.cat([g.flatten() for g in grads]).norm()
    return torch.stack(values).sum(), norm

# expect: right
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    n_tokens = sum(int(mb["loss_mask"].sum()) for mb in microbatches)
    n_rows = sum(int(mb["loss_mask"].any(dim=1).sum()) for mb in microbatches)

    def weights(mask):
        m = mask.to(torch.float64)
        if mode == "token-mean":
            return m / n_tokens
        if mode == "seq-mean-token-mean":
            return m / m.sum(dim=1, keepdim=True).clamp(min=1) / n_rows
        if mode == "seq-mean-token-sum-norm":
            return m / L_norm / n_rows
        raise ValueError(mode)

    loss = None
    for mb in microbatches:
        mask = mb["loss_mask"]
        if not mask.any():
            continue
        per_token = model(mb["inputs"])
        w = weights(mask).to(per_token.dtype)
        part = (torch.where(mask, per_token, torch.zeros_like(per_token)) * w).sum()
        part.backward()
        loss = part.detach() if loss is None else loss + part.detach()

    grads = [p.grad for p in model.parameters() if p.grad is not None]
    grad_norm = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g) for g in grads]))
    if max_norm is not None and grad_norm > max_norm:
        for g in grads:
            g.mul_(max_norm / grad_norm)
    return loss, grad_norm

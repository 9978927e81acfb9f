# expect: wrong
# mistake: Token means are divided by the number of attended tokens instead of answer tokens, and max_norm=0 is treated as no clipping.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    n_tokens = 0
    n_rows = 0
    for mb in microbatches:
        n_tokens += int(mb["attention_mask"].sum())
        n_rows += int(mb["loss_mask"].any(dim=1).sum())

    total_loss = None
    for mb in microbatches:
        loss_mask = mb["loss_mask"]
        lengths = mb["attention_mask"].sum(dim=1).clamp(min=1)
        if int(loss_mask.sum()) == 0:
            continue
        token_loss = model(mb["inputs"])
        token_loss = torch.where(loss_mask, token_loss, torch.zeros_like(token_loss))

        if mode == "token-mean":
            loss = token_loss.sum() / n_tokens
        elif mode == "seq-mean-token-mean":
            loss = (token_loss.sum(dim=1) / lengths).sum() / n_rows
        elif mode == "seq-mean-token-sum-norm":
            loss = (token_loss.sum(dim=1) / L_norm).sum() / n_rows
        loss.backward()
        total_loss = loss.detach() if total_loss is None else total_loss + loss.detach()

    grads = [p.grad for p in model.parameters() if p.grad is not None]
    grad_norm = torch.norm(torch.stack([g.norm() for g in grads]))
    if max_norm:
        scale = min(1.0, max_norm / (grad_norm.item() + 1e-6))
        for g in grads:
            g.mul_(scale)
    return total_loss, grad_norm

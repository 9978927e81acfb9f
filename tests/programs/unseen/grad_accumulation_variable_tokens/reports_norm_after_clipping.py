# expect: wrong
# mistake: grad_norm is the norm of the gradient after clipping instead of before.
import torch


def global_norm(model):
    squares = [p.grad.pow(2).sum() for p in model.parameters() if p.grad is not None]
    return torch.stack(squares).sum().sqrt()


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    masks = [mb["loss_mask"] for mb in microbatches]
    if mode == "token-mean":
        denom = sum(m.sum() for m in masks)
    else:
        denom = sum(m.any(dim=1).sum() for m in masks)

    total = 0.0
    for mb, mask in zip(microbatches, masks):
        if not mask.any():
            continue
        losses = model(mb["inputs"])
        losses = torch.where(mask, losses, torch.zeros_like(losses))
        if mode == "seq-mean-token-mean":
            losses = losses / mask.sum(dim=1, keepdim=True).clamp(min=1)
        elif mode == "seq-mean-token-sum-norm":
            losses = losses / L_norm
        micro = losses.sum() / denom
        micro.backward()
        total = total + micro.detach()

    if max_norm is not None:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return total, global_norm(model)

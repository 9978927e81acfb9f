# expect: right
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    """Leave the gradient of the whole batch in the parameters; return (loss, norm of the gradient before clipping)."""
    total = torch.zeros(())
    parts = 0
    for batch in microbatches:
        keep = batch["loss_mask"]
        if not bool(keep.any()):
            continue
        per_token = model(batch["inputs"])
        summed = 0.0
        for row, wanted in zip(per_token, keep):
            count = int(wanted.sum())
            if count == 0:
                continue
            picked = row[wanted].sum()
            if mode == "token-mean":
                parts += count
            else:
                parts += 1
                picked = picked / (count if mode == "seq-mean-token-mean" else L_norm)
            summed = summed + picked
        summed.backward()
        total = total + summed.detach()
        del per_token, summed

    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    for gradient in gradients:
        gradient.div_(parts)
    norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
    if max_norm is not None and norm > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / norm)
    return total / parts, norm
